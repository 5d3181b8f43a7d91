// Ideal shapes as lists of numbers (peal::explore::ideal_numbers).

const barEnds = ['free', 'clamped', 'pinned', 'sliding'];
const plateEdges = ['free', 'clamped', 'supported'];

/** Where a shape with an outline has the numbers after it. */
const afterOutline = (numbers) => [4, 3, 3 + 2 * numbers[2]][numbers[1]];

/** The numbers that can be changed: [index, label, choices]. */
export function dimensionsOf(numbers) {
  const [kind] = numbers;
  if (kind === 0) return [[1, 'Length [m]'], [2, 'Radius [m]'], [3, 'Tension [N]']];
  if (kind === 1)
    return [[1, 'Length [m]'], [2, 'Width [m]'], [3, 'Thickness [m]'], [4, 'Left end', barEnds], [5, 'Right end', barEnds]];
  const outline = { 0: [[2, 'Size x [m]'], [3, 'Size z [m]']], 1: [[2, 'Radius [m]']], 2: [] }[numbers[1]];
  const next = afterOutline(numbers);
  const all = [...outline, [next, 'Thickness [m]']];
  if (kind === 2) return [...all, [next + 1, 'Tension [N/m]']];
  const edges = numbers[1] === 1 ? ['Edge'] : ['Edge at low x', 'Edge at high x', 'Edge at low z', 'Edge at high z'];
  return [...all, ...edges.map((label, i) => [next + 1 + i, label, plateEdges])];
}

/** The shape as a scene has it. */
export function shapeJson(numbers) {
  const [kind] = numbers;
  if (kind === 0) return { string: { length: numbers[1], radius: numbers[2], tension: numbers[3] } };
  if (kind === 1)
    return { bar: { length: numbers[1], width: numbers[2], thickness: numbers[3], ends: [barEnds[numbers[4]], barEnds[numbers[5]]] } };
  const corners = () => Array.from({ length: numbers[2] }, (_, i) => [numbers[3 + 2 * i], numbers[4 + 2 * i]]);
  const outline = [() => ({ size: [numbers[2], numbers[3]] }), () => ({ radius: numbers[2] }), () => ({ outline: corners() })][numbers[1]]();
  const next = afterOutline(numbers);
  if (kind === 2) return { membrane: { ...outline, thickness: numbers[next], tension: numbers[next + 1] } };
  const edges = numbers.slice(next + 1, next + 5).map((edge) => plateEdges[edge]);
  return { plate: { ...outline, thickness: numbers[next], edges: numbers[1] === 1 ? edges[0] : edges } };
}

/** A material as a scene has it: its name if all is as usual, else what differs from it. */
export function materialJson(material, materials) {
  const usual = materials.find(({ name }) => name === material.name);
  const { name, density, young_modulus, poisson_ratio, damping } = material;
  const used = Object.fromEntries(Object.entries(damping).filter(([, value]) => value !== 0 && value.length !== 0));
  if (!usual) return { density, young_modulus, poisson_ratio, damping: used };
  const own = { base: name };
  for (const key of ['density', 'young_modulus', 'poisson_ratio']) if (material[key] !== usual[key]) own[key] = material[key];
  if (JSON.stringify(damping) !== JSON.stringify(usual.damping)) own.damping = used;
  return Object.keys(own).length === 1 ? name : own;
}
