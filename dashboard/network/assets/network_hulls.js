// Soft outlines behind boxes that belong together, one a group; each carries a number, so colour is never alone.

const ROOM = 13, ROUND = 16, PILL = 9, DIGIT = 12;

// Corners of the smallest convex shape around boxes (widened by ROOM), counter-clockwise (Andrew's monotone chain).
export function corners(boxes) {
  const points = boxes.flatMap((b) => [
    [b.left - ROOM, b.top - ROOM], [b.right + ROOM, b.top - ROOM],
    [b.left - ROOM, b.bottom + ROOM], [b.right + ROOM, b.bottom + ROOM]]);
  points.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const turn = (o, p, q) => (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  const half = (given) => {
    const kept = [];
    for (const point of given) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(points), ...half([...points].reverse())];
}

// The shape as SVG path data with rounded corners; a canvas takes the same text.
export function outline(shape) {
  const towards = (p, q) => {
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1, share = Math.min(ROUND / length, 0.5);
    return `${(p[0] + (q[0] - p[0]) * share).toFixed(1)} ${(p[1] + (q[1] - p[1]) * share).toFixed(1)}`;
  };
  const n = shape.length;
  return `${shape.map((point, i) =>
    `${i ? "L" : "M"}${towards(point, shape[(i + n - 1) % n])}Q${point[0].toFixed(1)} ${point[1].toFixed(1)} ${
      towards(point, shape[(i + 1) % n])}`).join("")}Z`;
}

function area(shape) {
  return Math.abs(shape.reduce((sum, [x, y], i) => {
    const [u, v] = shape[(i + 1) % shape.length];
    return sum + x * v - u * y;
  }, 0)) / 2;
}

function inside(shape, x, y) {
  return shape.every(([a, b], i) => {
    const [c, d] = shape[(i + 1) % shape.length];
    return (c - a) * (y - b) - (d - b) * (x - a) >= 0;
  });
}

// [{group, shape, d, label place}], large ones first so that small ones stay on top.
export function hulls(groups, boxOf) {
  const drawn = groups.filter((group) => group.members.every(boxOf));  // while boxes come and go, some are not there
  const taken = [];
  return drawn.map((group) => {
    const number = groups.indexOf(group), shape = corners(group.members.map(boxOf));
    const [x, y] = place(shape, taken);
    taken.push([x, y]);
    return { group, number, shape, d: outline(shape), x, y, size: area(shape) };
  }).sort((a, b) => b.size - a.size);
}

// Where a number stands: on the highest side that no other number has taken.
function place(shape, taken) {
  const sides = shape.map(([x, y], i) => {
    const [u, v] = shape[(i + 1) % shape.length];
    return [(x + u) / 2, (y + v) / 2];
  }).sort((p, q) => p[1] - q[1]);
  const free = ([x, y]) => taken.every(([u, v]) => Math.hypot(x - u, y - v) > 2.4 * PILL);
  return sides.find(free) || sides[0];
}

export function hullAt(found, x, y) {
  return [...found].reverse().find((one) => inside(one.shape, x, y));
}

// Fill and line of a group: the chosen one strong, all others faint when one is chosen or other boxes are highlighted.
export function weight(group, faint) {
  return group.chosen ? { fill: 0.2, line: 1, width: 2.5 } : { fill: faint ? 0.03 : 0.09, line: faint ? 0.25 : 0.6, width: 1.2 };
}

export function paint(context, found, near) {
  for (const { group, d } of found) {
    const path = new Path2D(d), { fill, line, width } = weight(group, near && !group.members.every((id) => near.has(id)));
    context.save();
    context.fillStyle = context.strokeStyle = group.colour;
    context.globalAlpha = fill;
    context.fill(path);
    context.globalAlpha = line;
    context.lineWidth = width;
    context.stroke(path);
    context.restore();
  }
}

// The numbers, on the outlines; drawn last so that no line runs through them.
export function number(context, found, font) {
  for (const { group, x, y } of found) {
    context.font = `bold ${DIGIT}px ${font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const wide = Math.max(PILL, context.measureText(group.label).width / 2 + 5);
    context.fillStyle = group.colour;
    context.beginPath();
    context.roundRect(x - wide, y - PILL, 2 * wide, 2 * PILL, PILL);
    context.fill();
    context.fillStyle = group.ink;
    context.fillText(group.label, x, y + 0.5);
  }
}

// The same as SVG: outlines to lie below everything, numbers to lie above.
export function drawn(found, element) {
  const below = found.map(({ group, d }) => {
    const { fill, line, width } = weight(group, false);
    const path = element("path", { d, fill: group.colour, "fill-opacity": fill, stroke: group.colour, "stroke-opacity": line, "stroke-width": width });
    path.append(element("title", {}, group.words));
    return path;
  });
  const above = found.map(({ group, x, y }) => {
    const wide = Math.max(PILL, group.label.length * 3.5 + 5), one = element("g");
    one.append(
      element("rect", { x: x - wide, y: y - PILL, width: 2 * wide, height: 2 * PILL, rx: PILL, fill: group.colour }),
      element("text", { x, y: y + 4, "text-anchor": "middle", "font-size": DIGIT, "font-weight": 700, fill: group.ink }, group.label));
    return one;
  });
  return { below, above };
}
