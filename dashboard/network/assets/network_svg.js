// The picture of all panels with titles and legend as one SVG, and as PNG made from it.
// Every text goes through textContent; nothing of the table is ever parsed as markup.
// Colours, font and corners come with the data as `style`.

import { along, bentParts, via } from "./network_fit.js";
import { drawn, hulls } from "./network_hulls.js";

const SVG = "http://www.w3.org/2000/svg";
const HIGH = 9;  // half the height of a value beside an arc
// A sign on an arc is seen from afar; a number or a letter stands beside it, so that the arc and its head stay whole.
const isBeside = (mark) => mark.length > 1 || /[\p{L}\p{N}⟲]/u.test(mark);
export function markSize(mark) { return isBeside(mark) ? 13 : 20; }

export function element(name, attributes = {}, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== null) made.textContent = text;
  return made;
}

// The sample that the legend shows before a word: a piece of the arc, or the colours of a scale.
export function sample(entry, style) {
  const svg = element("svg", { width: markWidth(entry), height: 12, "aria-hidden": "true" });
  if (entry.kind === "scale") {
    const width = 72 / entry.colours.length;
    entry.colours.forEach((colour, i) =>
      svg.append(element("rect", { x: i * width, y: 1, width: width + 0.5, height: 10, fill: colour })));
    svg.append(element("rect", { x: 0.5, y: 1.5, width: 71, height: 9, fill: "none", stroke: style.border }));
  } else if (entry.kind === "hull") {
    svg.append(element("rect", {
      x: 1, y: 1, width: 38, height: 10, rx: 5, fill: entry.colour, "fill-opacity": 0.12, stroke: entry.colour, "stroke-opacity": 0.7,
    }));
  } else if (entry.kind === "shape") {
    svg.append(element("rect", {
      x: 1, y: 1, width: 38, height: 10, rx: Math.min(entry.radius, 5), fill: entry.colour, stroke: style.border,
      "stroke-dasharray": entry.dash.join(" "),
    }));
  } else {
    const line = { x1: 1, y1: 6, x2: entry.directed ? 33 : 39, y2: 6, "stroke-dasharray": entry.dash.join(" ") };
    if (entry.edged) svg.append(element("line", { ...line, stroke: entry.edged, "stroke-width": entry.around }));
    svg.append(element("line", { ...line, stroke: entry.colour, "stroke-width": entry.width }));
    if (entry.directed) svg.append(element("path", { d: "M32 1 L40 6 L32 11 Z", fill: entry.colour }));
  }
  return svg;
}

// Where the line from the middle of a box towards (x, y) leaves it.
function border(box, x, y) {
  const cx = (box.left + box.right) / 2, cy = (box.top + box.bottom) / 2;
  const dx = x - cx, dy = y - cy;
  const share = Math.min(
    dx ? (box.right - box.left) / 2 / Math.abs(dx) : Infinity,
    dy ? (box.bottom - box.top) / 2 / Math.abs(dy) : Infinity, 1);
  return Number.isFinite(share) ? [cx + dx * share, cy + dy * share] : [cx, cy];
}

// Half way between two boxes, on the line between their middles.
export function middle(a, b) {
  const [x1, y1] = border(a, (b.left + b.right) / 2, (b.top + b.bottom) / 2);
  const [x2, y2] = border(b, (a.left + a.right) / 2, (a.top + a.bottom) / 2);
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

// Where the value of an arc stands: beside it, as near to its middle as covers no box, else above or below both ends.
const ALONG = [0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3];  // of a link, from its middle: where its size may stand

export function beside(a, b, width, half, boxes, [x, y] = middle(a, b)) {
  const dx = b.left + b.right - a.left - a.right, dy = b.top + b.bottom - a.top - a.bottom;
  const length = Math.hypot(dx, dy) || 1, [nx, ny] = [-dy / length, dx / length];
  const away = width / 2 + 4 + Math.abs(nx) * half + Math.abs(ny) * HIGH;
  const near = ALONG.flatMap((share) => {
    const [mx, my] = [x + share * dx / 2, y + share * dy / 2];
    return [[mx + nx * away, my + ny * away], [mx - nx * away, my - ny * away]].sort((one, other) => one[1] - other[1]);
  });
  const places = [...near, [x, Math.min(a.top, b.top) - HIGH - 3], [x, Math.max(a.bottom, b.bottom) + HIGH + 3]];
  const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
  const free = ([px, py]) => py > top && py < bottom && boxes.every((box) =>
    px + half < box.left || px - half > box.right || py + HIGH < box.top || py - HIGH > box.bottom);
  return places.find(free) ?? [x, y];
}

// The middle of a sign's place: a number covers no box and no other number.
export function markPlace(edge, ends, half, taken) {
  const bent = edge.bend && along(...ends, edge.bend, 0.5), at = bent ? [bent.x, bent.y] : middle(...ends);
  if (!isBeside(edge.mark)) return at;
  const [x, y] = beside(...ends, edge.width, half, taken, at);
  taken.push({ left: x - half, right: x + half, top: y - HIGH, bottom: y + HIGH });
  return [x, y];
}

function arc(edge, boxes, taken, style) {
  const a = boxes.get(edge.from), b = boxes.get(edge.to);
  const by = edge.bend ? via(a, b, edge.bend) : null;
  const [x1, y1] = border(a, by?.x ?? (b.left + b.right) / 2, by?.y ?? (b.top + b.bottom) / 2);
  const [x2, y2] = border(b, by?.x ?? (a.left + a.right) / 2, by?.y ?? (a.top + a.bottom) / 2);
  const [fx, fy] = by ? [by.x, by.y] : [x1, y1], length = Math.hypot(x2 - fx, y2 - fy) || 1;
  const [ux, uy] = [(x2 - fx) / length, (y2 - fy) / length];
  const group = element("g");
  const back = edge.arrows === "to" ? 9 : 0;
  const end = `${x2 - ux * back} ${y2 - uy * back}`;
  const line = {
    d: `M${x1} ${y1} ${by ? `Q${by.x} ${by.y} ${end}` : `L${end}`}`, fill: "none",
    "stroke-dasharray": Array.isArray(edge.dashes) ? edge.dashes.join(" ") : "none",
  };
  if (edge.around) group.append(element("path", { ...line, stroke: edge.around.color, "stroke-width": edge.around.width }));
  group.append(element("path", { ...line, stroke: edge.color.color, "stroke-width": edge.width }));
  if (back) {
    const [bx, cy] = [x2 - ux * 11, y2 - uy * 11];
    const points = [[x2, y2], [bx - uy * 5, cy + ux * 5], [bx + uy * 5, cy - ux * 5]];
    group.append(element("polygon", { points: points.map((p) => p.join(",")).join(" "), fill: edge.color.color }));
  }
  const [mx, my] = markPlace(edge, [a, b], edge.mark.length * 4.5, taken);
  if (edge.mark) group.append(element("text", {
    x: mx, y: my + markSize(edge.mark) * 0.36, "text-anchor": "middle", "font-size": markSize(edge.mark), "font-weight": 700,
    fill: edge.color.color, stroke: style.paper, "stroke-width": 4, "paint-order": "stroke",
  }, edge.mark));
  group.append(element("title", {}, edge.words));
  return group;
}

function box(node, place, style) {
  const group = element("g");
  const lines = node.label.split("\n");
  const own = node.shapeProperties || { borderRadius: style.radius, borderDashes: false };
  group.append(element("rect", {
    x: place.left, y: place.top, width: place.right - place.left, height: place.bottom - place.top,
    rx: Math.min(own.borderRadius, (place.bottom - place.top) / 2),
    fill: node.color.background, stroke: node.color.border, "stroke-width": node.borderWidth || 1,
    "stroke-dasharray": own.borderDashes ? own.borderDashes.join(" ") : "none",
  }));
  const size = node.font.size, middle = (place.top + place.bottom) / 2;
  lines.forEach((line, i) => group.append(element("text", {
    x: (place.left + place.right) / 2, y: middle + (i - (lines.length - 1) / 2) * size * 1.1 + size * 0.34,
    "text-anchor": "middle", "font-size": size, fill: style.ink,
  }, line)));
  group.append(element("title", {}, node.words));
  return group;
}

const markWidth = (entry) => (entry.kind === "scale" ? 72 : 40);

// Where the entries of the legend stand: one after the other, on as many lines as they need.
function legendRows(legend, begin, end) {
  let x = begin, row = 0;
  return legend.map((entry) => {
    const wide = markWidth(entry) + 34 + entry.words.length * 7;
    if (x > begin && x + wide - 26 > end) [x, row] = [begin, row + 1];
    const place = { entry, x, row };
    x += wide;
    return place;
  });
}

// panels: [{title, subtitle, nodes, edges, boxes}], legend: entries; returns an <svg> element.
export function picture(panels, legend, style) {
  const all = panels.flatMap(({ boxes, edges }) => [...boxes.values(), ...bentParts(edges, (id) => boxes.get(id))]);
  const left = Math.min(...all.map((b) => b.left)) - 16, top = Math.min(...all.map((b) => b.top)) - 16;
  const width = Math.max(...all.map((b) => b.right)) + 16 - left;
  const height = Math.max(...all.map((b) => b.bottom)) + 16 - top;
  const cell = Math.max(width, 320), gap = 24, head = 48;
  const total = panels.length * cell + (panels.length + 1) * gap;
  const placed = legendRows(legend, gap, total - gap), rows = placed.length ? placed[placed.length - 1].row : 0;
  const foot = 44 + 22 * rows;
  const svg = element("svg", {
    xmlns: SVG, width: total, height: head + height + foot, "font-family": style.font,
    viewBox: `0 0 ${total} ${head + height + foot}`,
  });
  svg.append(element("rect", { width: "100%", height: "100%", fill: style.paper }));
  panels.forEach((panel, i) => {
    const x = gap + i * (cell + gap);
    const title = svg.appendChild(element("text", { x, y: 28, "font-size": 18, "font-weight": 600, fill: style.ink }));
    if (panel.sign) title.append(element("tspan", { fill: panel.colour }, `${panel.sign} `));
    if (panel.sign) title.append(element("tspan", {}, panel.title));
    else title.textContent = panel.title;
    svg.append(element("text", { x: x + cell, y: 28, "font-size": 14, fill: style.muted, "text-anchor": "end" }, panel.subtitle));
    svg.append(element("rect", { x, y: head - 8, width: cell, height: height + 8, rx: 6, fill: "none", stroke: style.line }));
    const inner = element("g", { transform: `translate(${x - left + (cell - width) / 2} ${head - top})` });
    const { below, above } = drawn(hulls(panel.groups, (id) => panel.boxes.get(id)), element);
    inner.append(...below);
    const taken = [...panel.boxes.values()];
    panel.edges.forEach((edge) => inner.append(arc(edge, panel.boxes, taken, style)));
    panel.nodes.forEach((node) => inner.append(box(node, panel.boxes.get(node.id), style)));
    inner.append(...above);
    svg.append(inner);
  });
  for (const { entry, x, row } of placed) {
    const mark = sample(entry, style), y = head + height + 18 + 22 * row;
    mark.setAttribute("x", x);
    mark.setAttribute("y", y);
    svg.append(mark, element("text", { x: x + markWidth(entry) + 8, y: y + 11, "font-size": 14, fill: style.ink }, entry.words));
  }
  return svg;
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function saveSvg(svg, name) {
  save(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }), `${name}.svg`);
}

// The picture drawn large on a canvas; `then` gets that.
function drawnLarge(svg, scale, then) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    then(canvas, image);
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
}

function savePng(svg, name, scale = 2) {
  drawnLarge(svg, scale, (canvas) => canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png"));
}

function savePdf(svg, name, scale = 3) {
  drawnLarge(svg, scale, (canvas, { width, height }) => canvas.toBlob(async (blob) =>
    save(pdfOf(new Uint8Array(await blob.arrayBuffer()), canvas, width * 0.75, height * 0.75), `${name}.pdf`), "image/jpeg", 0.95));
}

// The buttons below a picture, each with what its file has.
export const FILES = {
  PNG: { save: savePng, words: "Save the picture as PNG: pixels, 192 to the inch" },
  PDF: { save: savePdf, words: "Save the picture as one page of PDF: pixels, 288 to the inch" },
  SVG: { save: saveSvg, words: "Save the picture as SVG: vectors, sharp at any size" },
};

// One page of so many points with a JPEG over all of it (PDF 1.4).
export function pdfOf(jpeg, { width, height }, wide, high) {
  const parts = [], starts = [], encoder = new TextEncoder();
  let length = 0;
  const add = (part) => {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  const object = (head, stream) => {
    starts.push(length);
    add(`${starts.length} 0 obj\n${head}\n`);
    if (stream) { add("stream\n"); add(stream); add("\nendstream\n"); }
    add("endobj\n");
  };
  const content = `q ${wide} 0 0 ${high} 0 0 cm /I Do Q`;
  add("%PDF-1.4\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`);
  object(`<< /Length ${content.length} >>`, content);
  object(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 ` +
    `/Filter /DCTDecode /Length ${jpeg.length} >>`, jpeg);
  const table = length;
  add(`xref\n0 ${starts.length + 1}\n0000000000 65535 f \n${starts.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`);
  add(`trailer\n<< /Size ${starts.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}
