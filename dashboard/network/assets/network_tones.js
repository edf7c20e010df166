// Colours on a light and on a dark screen. Python says how each one looks on a dark one; pictures that are saved are light.

function channels(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return (colour.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map(Number);
}

function luminance(colour) {
  const [r, g, b] = channels(colour).map((one) => (one <= 10 ? one / 3295 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// A colour three quarters of the way to the paper; opaque, so that no arc shows through a box.
export function pale(colour, paper) {
  const ground = channels(paper);
  return `#${channels(colour).map((one, i) => Math.round(ground[i] + (one - ground[i]) * 0.25).toString(16).padStart(2, "0")).join("")}`;
}

// What the page's paper is; a page of our own has the usual one.
export function paperOf(element, usual) {
  const found = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  return /^(#[0-9a-f]{6}|rgb.*)$/i.test(found) ? found : usual;
}

export function isDark(paper) { return luminance(paper) < 0.18; }

// The same data in the colours of a dark screen: only what is a colour is touched, never a name.
export function darkened(data) {
  const turn = (colour) => data.dark[colour] ?? colour;
  return {
    ...data,
    panels: data.panels.map((panel) => ({
      ...panel,
      nodes: panel.nodes.map((node) => ({
        ...node, font: { ...node.font, color: turn(node.font.color) },
        color: { background: turn(node.color.background), border: turn(node.color.border) },
      })),
      edges: panel.edges.map((edge) => ({
        ...edge, color: { ...edge.color, color: turn(edge.color.color) },
        ...(edge.around && { around: { ...edge.around, color: turn(edge.around.color) } }),
      })),
      groups: panel.groups.map((group) => ({ ...group, colour: turn(group.colour), ink: turn(group.ink) })),
      colour: turn(panel.colour),
    })),
    legend: data.legend.map((entry) => ({
      ...entry, colour: turn(entry.colour), ...(entry.colours && { colours: entry.colours.map(turn) }),
      ...(entry.edged && { edged: turn(entry.edged) }),
    })),
  };
}
