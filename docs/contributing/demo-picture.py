#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/demo.svg, the picture of README.md, from a run of the demo with servers.

usage: docs/contributing/demo-picture.py [report.json]

Without an argument it runs `./keyslot demo --engine instances -o json`, which takes about a minute and needs redis-server or
valkey-server on the PATH. With one, it draws the report of an earlier run.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOST = "p2"  # the partition that the demo kills
SECONDS = 12  # of the animation, however long the run was
NAMES = {
    "load": "three servers",
    "a server comes": "a fourth one is added",
    "without one": f"{LOST} is killed",
    "it returns": f"{LOST} comes back, empty",
    "with all again": "four servers",
}
WIDTH, LEFT, RIGHT = 880, 24, 856

STYLE = """
    .ink { fill: #1f2328 } .soft { fill: #59636e } .box { fill: #f6f8fa; stroke: #818b98 }
    .up { fill: #0969da } .down { fill: #cf222e } .now { fill: #0969da; opacity: 0.12 } .bar { fill: #d1d9e0 }
    @media (prefers-color-scheme: dark) {
      .ink { fill: #f0f6fc } .soft { fill: #9198a1 } .box { fill: #151b23; stroke: #656c76 }
      .up { fill: #4493f8 } .down { fill: #f85149 } .now { fill: #4493f8; opacity: 0.2 } .bar { fill: #3d444d }
    }
    text { font-size: 14px } .small { font-size: 12px } .number { text-anchor: end }
    .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 13px }
    @media (prefers-reduced-motion: reduce) { .moving { display: none } }"""


def read_report():
    if len(sys.argv) > 1:
        return json.loads(pathlib.Path(sys.argv[1]).read_text())
    run = subprocess.run(
        [ROOT / "keyslot", "demo", "--engine", "instances", "-o", "json"], stdout=subprocess.PIPE, check=True, text=True
    )
    return json.loads(run.stdout)


def steps(phases):
    """Returns where each phase begins and ends, from 0 to 1; a short phase gets a tenth, so that it can be seen."""
    total = sum(phase["millis"] for phase in phases)
    shares = [max(phase["millis"] / total, 0.1) for phase in phases]
    begin, found = 0.0, []
    for share in shares:
        end = begin + share / sum(shares)
        found.append((begin, min(end, 1.0)))
        begin = end
    return found


def shown_from(begin, end, inside="1", outside="0"):
    """An animation of the opacity that switches at the beginning and at the end of a phase."""
    times, values = ["0"], [inside if begin == 0 else outside]
    if begin > 0:
        times.append(f"{begin:.4f}")
        values.append(inside)
    if end < 0.9999:
        times.append(f"{end:.4f}")
        values.append(outside)
    return (
        f'<animate attributeName="opacity" dur="{SECONDS}s" repeatCount="indefinite" calcMode="discrete"'
        f' keyTimes="{";".join(times)}" values="{";".join(values)}"/>'
    )


def server(x, share, downtime, uptime):
    name = share["partition"]
    begin, end = downtime
    lines = [
        f'  <rect class="box" x="{x}" y="56" width="190" height="74" rx="8"/>',
        f'  <circle class="up" cx="{x + 20}" cy="80" r="6"/>',
        f'  <text class="ink" x="{x + 34}" y="85" font-weight="600">{name}</text>',
        f'  <text class="soft small" x="{x + 16}" y="116">{share["slots"]:,} slots, {share["entries"]:,} entries</text>',
    ]
    if name == LOST:
        lines.append(
            f'  <g class="moving" opacity="0">{shown_from(begin, end)}<rect class="down" x="{x}" y="56" width="190" height="74"'
            f' rx="8" opacity="0.2"/><circle class="down" cx="{x + 20}" cy="80" r="6"/>'
            f'<text class="down small" x="{x + 176}" y="84" text-anchor="end">down</text></g>'
        )
    elif uptime is not None:
        lines.append(
            f'  <g class="moving" opacity="0">{shown_from(0, uptime)}<rect class="box" x="{x}" y="56" width="190" height="74"'
            f' rx="8"/><text class="soft small" x="{x + 95}" y="98" text-anchor="middle">not there yet</text></g>'
        )
    return lines


def picture(report):
    phases = report["phases"]
    when = dict(zip((phase["name"] for phase in phases), steps(phases)))
    calls = sum(phase["calls"] for phase in phases)
    failed = sum(phase["failed"] for phase in phases)
    wrong = sum(phase["wrong"] for phase in phases)
    height = 236 + 26 * len(phases)
    facts = (
        f"{calls:,} calls, {failed} failed, {wrong} wrong answers, {report['lost']} entries lost."
        f" {report['answeredByLoader']:,} reads of {LOST} were answered by the database."
    )
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"'
        " aria-labelledby=\"title desc\" font-family=\"ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans',"
        ' sans-serif">',
        '  <title id="title">A run of keyslot demo that loses a server</title>',
        f'  <desc id="desc">{facts}</desc>',
        f"  <style>{STYLE}\n  </style>",
        f'  <text class="ink code" x="{LEFT}" y="32">$ ./keyslot demo --engine instances</text>',
    ]
    grown = when["a server comes"][0]
    last = report["shares"][-1]["partition"]
    for index, share in enumerate(report["shares"]):
        out += server(LEFT + index * 214, share, when["without one"], grown if share["partition"] == last else None)

    for column, text in ((380, "calls"), (560, "loads from the database"), (690, "failed"), (830, "wrong answers")):
        out.append(f'  <text class="soft small number" x="{column}" y="164">{text}</text>')
    for index, phase in enumerate(phases):
        y = 188 + 26 * index
        begin, end = when[phase["name"]]
        out.append(
            f'  <rect class="now moving" x="{LEFT - 8}" y="{y - 18}" width="{RIGHT - LEFT + 16}" height="26" rx="6" opacity="0">'
            f"{shown_from(begin, end, inside='0.2')}</rect>"
        )
        out.append(f'  <text class="ink" x="{LEFT}" y="{y}">{NAMES.get(phase["name"], phase["name"])}</text>')
        for column, name in ((380, "calls"), (560, "loads"), (690, "failed"), (830, "wrong")):
            out.append(f'  <text class="ink number" x="{column}" y="{y}">{phase[name]:,}</text>')

    y = 188 + 26 * len(phases)
    out.append(f'  <rect class="bar" x="{LEFT}" y="{y - 8}" width="{RIGHT - LEFT}" height="4" rx="2"/>')
    out.append(
        f'  <circle class="up moving" cy="{y - 6}" r="5" cx="{LEFT}"><animate attributeName="cx" dur="{SECONDS}s"'
        f' repeatCount="indefinite" values="{LEFT};{RIGHT}"/></circle>'
    )
    out.append(
        f'  <text class="soft small" x="{LEFT}" y="{y + 22}">{LOST} counted as missing after {millis(report["untilDecidedMillis"])};'
        f' {report["answeredByLoader"]:,} reads of its keys came from the database; used again'
        f' {millis(report["untilUsedMillis"])} after its return.</text>'
    )
    return "\n".join(out) + "\n</svg>\n"


def millis(value):
    return "a time that was not measured" if value is None else f"{value:,} ms"


if __name__ == "__main__":
    (ROOT / "docs" / "demo.svg").write_text(picture(read_report()), encoding="utf-8")
