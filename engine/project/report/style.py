"""How the document looks, on a screen and on A4; no font, picture or address from elsewhere."""

from __future__ import annotations

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What a browser is told it may load: nothing but the style in the file."""

STYLE = """
:root { --ink: #1C2733; --muted: #56626B; --line: #CBD3D9; --panel: #F4F6F8; --accent: #17557E; }
* { box-sizing: border-box; }
html { font-size: 16px; }
body { margin: 0 auto; padding: 3rem 2rem 4rem; max-width: 62rem; color: var(--ink); background: #fff;
  font: 1rem/1.55 Charter, "Bitstream Charter", "Source Serif 4", Cambria, Georgia, "Liberation Serif", serif;
  overflow-wrap: break-word; hyphens: manual; }
h1, h2, h3, h4, nav, table, figure, figcaption, .legend, .meta, .kicker, .caption, footer, .chip {
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: .3rem 0 .8rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .6rem; }
h3 { font-size: 1.08rem; margin: 2.1rem 0 .5rem; padding-top: .55rem; border-top: 1px solid var(--line); }
h4 { font-size: .88rem; margin: 1rem 0 .25rem; }
p { margin: .45rem 0; } .text, .lead, .cover p, .in-words { max-width: 44rem; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.kicker { color: var(--accent); font-weight: 700; font-size: .78rem; letter-spacing: .08em; text-transform: uppercase;
  margin: 0 0 .35rem; }
.cover { border-top: 5px solid var(--accent); padding-top: 1.3rem; }
.meta { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 1rem 0; font-size: .88rem; }
.meta dt { color: var(--muted); } .meta dd { margin: 0; }
nav ol { list-style: none; padding: 0; margin: .5rem 0 0; font-size: .92rem; }
nav li { display: grid; grid-template-columns: 2.2rem 1fr; padding: .32rem 0; border-bottom: 1px solid var(--line); }
nav li .what { color: var(--muted); display: block; font-size: .84rem; }
.part { border-top: 5px solid var(--accent); margin-top: 4rem; padding-top: 1.1rem; }
.headline { font-size: 1.42rem; line-height: 1.35; margin: .7rem 0 1rem; max-width: 46rem; font-weight: 600; }
.lead p { margin: .55rem 0; }
.limits { background: var(--panel); border-left: 3px solid #B87400; padding: .55rem 1rem; margin: 1.1rem 0;
  max-width: 46rem; }
.limits.own { border-left-color: var(--accent); }
.limits h4 { margin-top: .15rem; } .limits ul { margin: .2rem 0; padding-left: 1.15rem; }
.masked { border-left-color: var(--muted); }
figure { margin: 1.3rem 0 .6rem; }
figure .row { display: grid; gap: 16px; align-items: end; justify-content: start; margin-bottom: .6rem; }
figure .of-2 { grid-template-columns: repeat(2, auto); } figure .of-3 { grid-template-columns: repeat(3, auto); }
figure svg { max-width: 100%; height: auto; display: block;
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
.panel-title { font-size: .84rem; padding-bottom: .35rem; }
figcaption, .caption { font-size: .82rem; color: var(--muted); line-height: 1.45; max-width: 46rem; }
figcaption b, .caption b { color: var(--ink); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; padding: .3rem 0; margin: .3rem 0;
  font-size: .84rem; }
.legend .sample { display: inline-block; vertical-align: middle; margin-right: .45rem; }
.in-words { font-size: .84rem; line-height: 1.45; } .in-words p { margin: .2rem 0; }
table { border-collapse: collapse; width: auto; max-width: 100%; font-size: .8rem; line-height: 1.35;
  margin: .35rem 0 .2rem; font-variant-numeric: tabular-nums; }
table.small { font-size: .72rem; }
.scroll { max-width: 100%; overflow-x: auto; }
.caption { margin: 0 0 .25rem; } .tabled { margin: 1.1rem 0 1.4rem; }
th, td { text-align: left; vertical-align: top; padding: .24rem .6rem .24rem 0; border-bottom: 1px solid #E3E8EC; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 600; color: var(--ink); border-bottom: 1.5px solid var(--ink); vertical-align: bottom;
  line-height: 1.2; }
tbody th { font-weight: 500; }
.any { overflow-wrap: anywhere; } .n { text-align: right; white-space: nowrap; }
th.head { white-space: normal; max-width: 9.5rem; }
.hid { color: var(--muted); font-style: italic; white-space: nowrap; }
.chip { display: inline-block; white-space: nowrap; padding: 0 .4rem; margin: 0 .25rem .2rem 0;
  border: 1px solid var(--line); border-radius: 3px; font-size: .94em; }
.chip.long { white-space: normal; }
.chip .k { color: var(--muted); }
pre { font: .76rem/1.5 "DejaVu Sans Mono", Menlo, Consolas, monospace; background: var(--panel); padding: .8rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
footer { border-top: 1px solid var(--line); margin-top: 3.5rem; padding-top: .8rem; font-size: .8rem;
  color: var(--muted); }
dl.words dt { font-weight: 600; margin-top: .5rem; } dl.words dd { margin: 0; }
@page { size: A4; margin: 17mm 18mm 18mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8.5pt Helvetica, Arial, sans-serif;
    color: #56626B; } }
@page lying { size: A4 landscape; }
@media print {
  html { font-size: 11pt; }
  body { padding: 0; max-width: none; }
  .text, .lead, .cover p, .in-words, .headline, .limits, figcaption, .caption { max-width: none; }
  h1, h2, h3, h4 { break-after: avoid; } h3 { margin-top: 1.5rem; }
  p, li { orphans: 3; widows: 3; }
  .part { break-before: page; margin-top: 0; }
  .headline, .limits, .keep, figure, .legend, nav li { break-inside: avoid; }
  figure .row, .panel { break-inside: avoid; }
  figure.many { break-inside: auto; }
  figure.lying { page: lying; break-before: page; break-after: page; }
  table { font-size: 8.2pt; } table.small { font-size: 7.2pt; }
  thead { display: table-header-group; } tr { break-inside: avoid; }
  tbody tr:nth-child(-n+3) { break-after: avoid; } tbody tr:nth-last-child(-n+2) { break-before: avoid; }
  .caption, #data .meta, h3 + .text { break-after: avoid; } .caption, .meta { break-inside: avoid; }
  .scroll { overflow: visible; }
  .short, .in-words p { break-inside: avoid; }
  pre { break-inside: avoid; border: 1px solid var(--line); background: none; font-size: 7.4pt; }
  a { color: inherit; }
}
"""
