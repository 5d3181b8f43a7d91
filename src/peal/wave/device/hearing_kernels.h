#pragma once

#include <peal/wave/device/step_tables.h>

namespace peal::wave::device {

// The kernels that integrate the faces of the Kirchhoff surface at the end of a block of recorded
// fields: `integrate` sums the faces of each group for each output, and `add_up` the groups.

inline constexpr std::uint32_t hearing_threads = 128;
inline constexpr std::uint32_t outputs_of_chunk = OutputChunk::size;

/// What a face adds to an output; its series are `p` and `q`.
template <class Real>
PEAL_PORTABLE inline Real face_pressure(const HearingOrder<Real>& h, const FaceTable& table,
                                        std::uint32_t slot, const HeardChunk<Real>& chunk,
                                        std::uint32_t output, const Real* p, const Real* q,
                                        std::uint32_t mask) {
  const auto group = slot / 16;
  const auto is_due = [&](std::int32_t delay) {
    const std::int64_t last = OutputChunk::last_needed(chunk.number, delay);
    return last >= h.since && last < h.end;
  };
  // The values from the first on that the output needs; steps are counted modulo a power of two.
  const auto values = [&](const Real* series, std::int32_t delay) {
    const auto at = static_cast<std::uint32_t>(chunk.number * OutputChunk::size +
                                               static_cast<std::int32_t>(output) - delay -
                                               util::Lagrange::before);
    return [=](int k) { return series[(at + static_cast<std::uint32_t>(k)) & mask]; };
  };
  if (chunk.still != nullptr) {
    const StillFace<Real> face = chunk.still[slot];
    if (!is_due(face.whole_delay)) return 0;
    return still_face_pressure(face, values(p, face.whole_delay), values(q, face.whole_delay));
  }
  const SoundingFace face = h.face[slot];
  const ReceiverStretch<Real>& s = *chunk.stretch;
  const FaceDelay d = face_delay(s, face, h.samples_per_metre);
  if (!is_due(d.whole)) return 0;
  const int axis = table.axis[group] / 2, outwards = table.axis[group] % 2 == 0 ? -1 : 1;
  const auto p_of = values(p, d.whole), q_of = values(q, d.whole);
  if (s.is_slow) {
    const Real offset[] = {s.offset[0][output], s.offset[1][output], s.offset[2][output]};
    return slow_face_pressure(face, d, axis, outwards, static_cast<Real>(h.samples_per_metre),
                              offset, s.gain[output], p_of, q_of,
                              [](Real x) { return square_root(x); });
  }
  const FaceDelay own = fast_delay(s, face, static_cast<int>(output), h.samples_per_metre);
  return fast_face_pressure(face, d, own, axis, outwards, h.samples_per_metre, s.gain[output], p_of,
                            q_of);
}

/// The kernel `integrate`, of a group and an output.
template <class Real>
PEAL_PORTABLE inline void integrate(const BatchEntry<Real>& entry, std::uint32_t item) {
  const HearingOrder<Real>& h = entry.hearing;
  const std::uint32_t outputs = h.chunks * outputs_of_chunk;
  if (outputs == 0) return;
  const FaceTable& table = *entry.memory.faces;
  const std::uint32_t group = item / outputs, output = item - group * outputs;
  if (group >= table.groups) return;
  const HeardChunk<Real> chunk = h.chunk[output / outputs_of_chunk];
  const std::uint32_t size = entry.memory.series_size, count = table.count[group] & ~wide_faces;
  Real sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Real* const p = entry.memory.series + std::size_t{group * 32 + i} * size;
    sum += face_pressure(h, table, group * 16 + i, chunk, output % outputs_of_chunk, p,
                         p + std::size_t{16} * size, size - 1);
  }
  h.group_sum[item] = sum;
}

/// The kernel `add_up`, of an output.
template <class Real>
PEAL_PORTABLE inline void add_up(const BatchEntry<Real>& entry, std::uint32_t output) {
  const HearingOrder<Real>& h = entry.hearing;
  const std::uint32_t outputs = h.chunks * outputs_of_chunk, groups = entry.memory.groups;
  if (output >= outputs) return;
  double sum = 0;
  for (std::uint32_t group = 0; group < groups; ++group)
    sum += static_cast<double>(h.group_sum[std::size_t{group} * outputs + output]);
  h.heard[output] = sum;
}

}  // namespace peal::wave::device
