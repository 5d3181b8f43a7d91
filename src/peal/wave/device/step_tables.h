#pragma once

#include <peal/wave/far_field/kirchhoff_arithmetic.h>

#include <cstddef>
#include <cstdint>

namespace peal::wave::device {

// What a device needs to step the field of a chunk: plain structs of numbers and pointers to its
// memory. The host fills the tables (table_writer.h); the kernels (step_kernels.h) read them.

/// An index of a value: in the field, or, with this bit, among the further subcells of split cells.
using Place = std::uint32_t;
inline constexpr Place extra_place = Place{1} << 31;
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// The faces of the Kirchhoff surface, in groups of sixteen.
inline constexpr std::uint32_t wide_faces = 64;  ///< marks groups of fourth order
struct FaceTable {
  std::uint32_t groups;
  const std::uint32_t *inner, *count;   ///< place of the first inner cell; faces, and the mark
  const std::int32_t *step, *outwards;  ///< places from face to face, and across a face
  const std::int32_t* axis;             ///< of the normal, times two; + 1 if it points along it
};

/// The field of a chunk and the memory of its absorbing layer, which all six sides have.
template <class Real>
struct FieldMemory {
  int size[3];               ///< cells
  std::uint32_t offset;      ///< place of cell (0, 0, 0)
  std::uint32_t row, plane;  ///< distance of neighbours along y and z
  std::uint32_t rows_magic;  ///< 2^32 / row, rounded up
  int layer;                 ///< thickness [cells]
  Real courant2, viscous;    ///< lambda^2, alpha / (c tau)
  Real gamma, node_viscous;  ///< of the cut cells
  double lambda, gamma_exact, viscous_exact;
  double slow, slow2;    ///< of the filter of cavities
  std::uint32_t damped;  ///< whether gamma or viscous is not 0
  Real* field[3];        ///< p, p_old and p_new in turn
  Real* psi[2];          ///< of the last step and of this one, in turn
  Real* xi;
  std::uint32_t psi_at[3], xi_at[3];  ///< where the layers along x, y, z begin
  std::uint32_t end_pitch;            ///< values of a row of an x layer
  const Real *face_a, *face_b;        ///< by faces from the outside; [layer] is 0
  const Real *cell_a, *cell_b;        ///< by cells from the outside
  /// By place: 0 plain air, 1 a node or solid beside one, 2 a node that has just opened.
  unsigned char* mask;
  // The latest pressures of the faces of each group, and then their slopes: the value of recorded
  // field n of series s is series[s series_size + n % series_size], where series_size is a power of
  // two.
  std::uint32_t groups, series_size;
  const FaceTable* faces;
  Real* series;
};

/// Lists of a varying number of entries for each of some items: those of item i are
/// entry[first[i]] to entry[first[i + 1]].
struct ListsOf {
  const std::uint32_t *first, *entry;
};

/// A node: the place of its value, and which of its faces are ever open (bit f).
struct NodePlace {
  Place at;
  std::uint32_t open;
};
/// V and A of a node as linear functions of time between two keys.
struct NodeCourse {
  double volume, volume_change;
  double area[6], area_change[6];
};
/// A node at present.
template <class Real>
struct NodeState {
  Real area[6], gain, inertia;
};

struct LinkEnds {
  std::uint32_t a, b;   ///< nodes
  std::uint32_t inner;  ///< whether both are of one cell
};
/// A link as seen from one of its nodes.
struct LinkEntry {
  Place other;         ///< of the node at its other end
  std::uint32_t code;  ///< 2 link + (1 if the node is its b)
};
struct LinkCourse {
  double area, area_change, pull, pull_change;
};
template <class Real>
struct LinkState {
  Real area, pull;
};

/// Air that is cut off. Its members, cells or runs of cells, are added up in groups.
template <class Real>
struct CavityTable {
  std::uint32_t first_sum, sums;  ///< groups of members
  double volume;
};

/// Everything between two keys.
template <class Real>
struct KeyTables {
  // Nodes, in the order of the grid. A group is a node, or the subcells of a cell that relax
  // towards each other.
  std::uint32_t nodes, groups, listed;
  double reserve;              ///< factor of smallest stable volumes
  const std::uint32_t* group;  ///< first node of each group, and the number of nodes
  const NodePlace* node;
  const NodeCourse* course;
  NodeState<Real>* state;
  double* volume;                ///< Vs at present
  Real *next_now, *next_before;  ///< values of nodes that open or take over others
  /// By listed node: its number among those that are driven, or `nothing`. Null if none ever is.
  const std::uint32_t* driven;
  std::uint32_t* has_opened;  ///< whether any node opens in this step

  std::uint32_t links;
  const LinkEnds* link;
  const LinkCourse* link_course;
  LinkState<Real>* link_state;
  const std::uint32_t* first_link;  ///< by node, and the number of entries
  const LinkEntry* link_entry;
  ListsOf pulls_of_group;  ///< links along which the nodes of a group relax, in order

  std::uint32_t behind, sealed;
  const Place *behind_place, *sealed_place;

  Real* extra[3];  ///< values of further subcells: p, p_old and p_new in turn
  unsigned char* extra_mask;

  // What nodes take over at the beginning.
  std::uint32_t transfers;
  const Place* transfer_to;
  ListsOf sources_of_transfer;    ///< places in the lists of the interval before
  const double* transfer_weight;  ///< by entry

  // Nodes and links in the absorbing layer.
  std::uint32_t layer_nodes, layer_links;
  const std::uint32_t *layer_node, *layer_cell;  ///< node; x, y, z
  const std::uint32_t* layer_node_before;        ///< its number at the last key, or `nothing`
  Real* own_xi;                                  ///< of further subcells: x, y, z
  const std::uint32_t *layer_link, *layer_link_axis, *layer_link_before;
  const Real *layer_link_a, *layer_link_b;
  Real *layer_link_psi, *layer_link_difference;
  ListsOf links_of_layer_node;  ///< 2 layer link + (1 if the node is its high end)

  std::uint32_t cavities, members, sums;
  const CavityTable<Real>* cavity;
  const std::uint32_t *member_begin, *member_end;  ///< a run of places; a cut cell has end 0
  const float* member_volume;                      ///< of cut cells
  const std::uint32_t* sum_first;                  ///< first member of each group, and their number
  const std::uint32_t* sum_cavity;
  double *sum_now, *sum_before;
  Real* shift;
};

/// What happens in a step.
template <class Real>
struct StepOrder {
  const Real *p, *p_old;  ///< the fields of this step
  Real* p_new;
  const Real* psi;
  Real* psi_new;
  const KeyTables<Real>* key;
  std::uint32_t node_blocks;           ///< of the kernel `advance`
  std::uint32_t turn;                  ///< steps since the start
  const KeyTables<Real>* before;       ///< that of the last interval, in the first step of one
  std::uint32_t begins, moves;         ///< whether an interval begins; whether walls move
  double along;                        ///< position of the walls between the keys
  const Real *source, *source_before;  ///< h rho Q by driven node; null: silence
  std::uint32_t points;
  const Place* point;  ///< cells with point sources
  const std::uint32_t* point_first;
  const Real* point_amount;  ///< to add, one after the other
  std::int32_t record;       ///< number of the recorded field, or -1
  std::uint32_t probes;      ///< values to read
  const Place* probe;
  Real* probed;
};

/// Sixteen outputs of a path to a receiver (far_field/kirchhoff_arithmetic.h).
template <class Real>
struct HeardChunk {
  std::int32_t number;
  const StillFace<Real>* still;          ///< by slot, or null
  const ReceiverStretch<Real>* stretch;  ///< of a receiver in motion
};
/// What is integrated at the end of some steps.
template <class Real>
struct HearingOrder {
  std::uint32_t chunks;     ///< of outputs, of all paths
  std::int32_t since, end;  ///< recorded fields of the block
  const HeardChunk<Real>* chunk;
  const SoundingFace* face;  ///< by slot
  double samples_per_metre;
  Real* group_sum;  ///< by group and output
  double* heard;    ///< by output [Pa]
};

/// One chunk in a batch: its steps from the first one on.
template <class Real>
struct BatchEntry {
  FieldMemory<Real> memory;
  const StepOrder<Real>* orders;
  std::uint32_t steps;
  std::uint32_t blocks;        ///< of the kernel `advance`, at most
  std::uint32_t checked_turn;  ///< the step after which the field is checked
  Real per_cell;               ///< 1 / h [1/m]
  HearingOrder<Real> hearing;
  Real* row_squares;  ///< sum of the squared pressures of each row at that step [Pa^2]
};

}  // namespace peal::wave::device
