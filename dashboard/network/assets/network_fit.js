// How many networks stand side by side, how large they are drawn, and what of them is seen first.

export const LEAST = 11;  // CSS pixels below which a letter is not read
const PROJECTED = 16;  // and on a projector, from the last row
const LARGEST = 1.25, WIDEST = 2;
const NARROW = 200;  // a panel's title needs as much
const GAP = 12, AROUND = 24, FRAME = 2;
const LOWEST = 240, LOW = 150, HIGHEST = 1200;

// {across, scale, height, whole}: as many panels side by side as leave letters that can be read, else fewer; where even
// one is too narrow for all boxes, letters stay that large and the panel shows a part.
export function arrange(box, width, count, letters, projected = false, tall = 0) {
  const wide = box.right - box.left, high = box.bottom - box.top;
  const least = (projected ? PROJECTED : LEAST) / letters;
  let largest = projected ? WIDEST : LARGEST;
  const inner = (across) => (width - GAP * (across - 1)) / across - FRAME - AROUND;
  let across = projected ? 1 : count;
  while (across > 1 && (inner(across) / wide < least || inner(across) < NARROW)) across -= 1;
  if (!projected && across < count) largest = 1;  // one below another: no larger than need be
  const legible = high * least + AROUND;  // somewhat taller than asked for, where all can be read then
  const room = tall && legible > tall && legible < 2.2 * tall ? legible : tall || HIGHEST;
  const tallest = projected ? Math.max(360, window.innerHeight - 330) : room;
  const fits = Math.min(inner(across) / wide, (tallest - AROUND) / high);
  const scale = Math.max(least, Math.min(fits, largest));
  const height = Math.round(Math.min(Math.max(high * scale + AROUND, tall ? LOW : LOWEST), tallest));
  const whole = wide * scale <= inner(across) + AROUND && high * scale <= height;  // what is around it may be cut off
  return { across, scale, height, whole };
}

// The scale and place that show everything, however small.
export function whole(box, width, height) {
  const scale = Math.min((width - AROUND) / (box.right - box.left), (height - AROUND) / (box.bottom - box.top), LARGEST);
  return { scale, position: { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 } };
}

// The place to look at first: everything's middle where it fits, else a box, with no more emptiness beside than need be.
export function look(box, width, height, scale, at) {
  const along = (low, high, room, wanted) => {
    const half = (room - AROUND) / 2 / scale;
    if ((high - low) * scale <= room) return (low + high) / 2;  // what is around it may be cut off
    return Math.min(Math.max(wanted, low + half), high - half);
  };
  return { x: along(box.left, box.right, width, at.x), y: along(box.top, box.bottom, height, at.y) };
}

// The box with most lines at it in all panels together.
export function busiest(panels) {
  const lines = new Map();
  for (const { from, to } of panels.flatMap((panel) => panel.edges))
    for (const id of [from, to]) lines.set(id, (lines.get(id) || 0) + 1);
  return [...lines].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id)[0] ?? null;
}

// The page is scrolled by wheel and finger; a network takes only what is meant for it: Ctrl and wheel or a pinch for
// its size, a finger on a box for that box. vis would take all of it.
export function leaveTheWheel(canvas, onBox) {
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  }, { capture: true, passive: true });
  canvas.addEventListener("touchstart", (event) => {
    const [touch] = event.touches, frame = canvas.getBoundingClientRect();
    if (event.touches.length > 1 || onBox({ x: touch.clientX - frame.left, y: touch.clientY - frame.top }))
      event.preventDefault();
  }, { capture: true, passive: false });
}

const BENDS = [0.12, 0.24, 0.36, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const PASSED = 3;  // free pixels between a link and a box that it passes
const middleOf = (box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });

// The point that a bent link is drawn towards, as vis has it: clockwise where the bend is above 0.
export function via(a, b, bend) {
  const from = middleOf(a), to = middleOf(b), dx = to.x - from.x, dy = from.y - to.y;
  const share = Math.abs(bend) / 2 + 0.5, radius = share * Math.hypot(dx, dy);
  const angle = Math.atan2(dy, dx) + (bend / 2 + 0.5) * Math.PI;
  return { x: from.x + radius * Math.sin(angle), y: from.y + radius * Math.cos(angle) };
}

// A point of a bent link, from its first end at 0 to the other at 1.
export function along(a, b, bend, share) {
  const from = middleOf(a), to = middleOf(b), by = via(a, b, bend), rest = 1 - share;
  const mix = (axis) => rest * rest * from[axis] + 2 * rest * share * by[axis] + share * share * to[axis];
  return { x: mix("x"), y: mix("y") };
}

// How much a link between two boxes is bent so that it runs behind none of the others, towards their middle where that
// does, which makes the picture no larger; 0 where it may be straight.
export function bendAround(a, b, others) {
  const behind = (bend) => {
    const points = Array.from({ length: 41 }, (_, i) => along(a, b, bend, i / 40));
    return others.filter((box) => points.some(({ x, y }) =>
      x > box.left - PASSED && x < box.right + PASSED && y > box.top - PASSED && y < box.bottom + PASSED)).length;
  };
  const middles = others.map(middleOf), mean = (axis) => middles.reduce((sum, at) => sum + at[axis], 0) / middles.length;
  const far = (bend) => Math.hypot(via(a, b, bend).x - mean("x"), via(a, b, bend).y - mean("y"));
  const inwards = far(1) < far(-1) ? 1 : -1;
  const bends = [0, ...BENDS.flatMap((bend) => [inwards * bend, -inwards * bend])];
  const counts = bends.map(behind);
  return bends[counts.indexOf(Math.min(...counts))];
}

// What bent links take of the plane: their points, as boxes without a size.
export function bentParts(edges, box) {
  return edges.filter((edge) => edge.bend && !edge.hidden).flatMap((edge) => [0.25, 0.5, 0.75].map((share) => {
    const { x, y } = along(box(edge.from), box(edge.to), edge.bend, share);
    return { left: x, right: x, top: y, bottom: y };
  }));
}
