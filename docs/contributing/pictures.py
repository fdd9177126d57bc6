#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the diagrams docs/pictures/*.svg, in one style, for light and dark pages.

usage: docs/contributing/pictures.py
"""
import html
import pathlib
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "pictures"
WIDTH = 880

STYLE = """
    .ink { fill: #1f2328 } .soft { fill: #59636e } .line { stroke: #818b98; fill: none } .box { fill: #f6f8fa; stroke: #818b98 }
    .life { stroke: #d1d9e0 } .go { stroke: #0969da; fill: none } .tip { fill: #0969da }
    .one { fill: #0969da } .two { fill: #1a7f37 } .three { fill: #bc4c00 } .four { fill: #8250df } .on { fill: #ffffff }
    .bad { stroke: #cf222e; fill: none } .badtip { fill: #cf222e } .note { fill: #ddf4ff; stroke: #54aeff }
    @media (prefers-color-scheme: dark) {
      .ink { fill: #f0f6fc } .soft { fill: #9198a1 } .line { stroke: #656c76 } .box { fill: #151b23; stroke: #656c76 }
      .life { stroke: #3d444d } .go { stroke: #4493f8 } .tip { fill: #4493f8 }
      .one { fill: #4493f8 } .two { fill: #3fb950 } .three { fill: #f0883e } .four { fill: #ab7df8 } .on { fill: #0d1117 }
      .bad { stroke: #f85149 } .badtip { fill: #f85149 } .note { fill: #121d2f; stroke: #316dca }
    }
    text { font-size: 14px } .small { font-size: 13px } .bold { font-weight: 600 } .mid { text-anchor: middle } .end { text-anchor: end }"""


def svg(name, height, title, description, parts):
    FOLDER.mkdir(exist_ok=True)
    text = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"'
            " aria-labelledby=\"title desc\" font-family=\"ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans',"
            ' sans-serif">',
            f'  <title id="title">{html.escape(title)}</title>',
            f'  <desc id="desc">{html.escape(description)}</desc>',
            f"  <style>{STYLE}\n  </style>",
            *("  " + part for part in parts),
            "</svg>\n",
        ]
    )
    (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")


def text(x, y, words, classes="ink"):
    return f'<text class="{classes}" x="{x:g}" y="{y:g}">{html.escape(words)}</text>'


def arrow(x1, y1, x2, y2, kind="go", dashed=False):
    """A straight line with a tip at its end."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 10 * dx, y2 - 10 * dy
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    tip = {"go": "tip", "bad": "badtip"}[kind]
    return [
        f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{bx:g}" y2="{by:g}" stroke-width="1.6"{dash}/>',
        f'<path class="{tip}" d="M {x2:g} {y2:g} L {bx - 5 * dy:g} {by + 5 * dx:g} L {bx + 5 * dy:g} {by - 5 * dx:g} Z"/>',
    ]


def sequence(name, title, description, actors, *steps):
    """Messages in time, from top to bottom. A step is

    ("a > b", text), a call; ("a - b", text), an answer; ("a x b", text), a message that is lost;
    ("a", text), something that happens at one of them; ("", text), a line of its own that says when.
    """
    keys = list(actors)
    margin = 105 if len(keys) > 2 else 200
    place = {key: margin + i * (WIDTH - 2 * margin) / (len(keys) - 1) for i, key in enumerate(keys)}
    parts, y = [], 74
    for who, words in steps:
        if not who:
            y += 8
            parts.append(f'<line class="line" x1="20" y1="{y}" x2="{WIDTH - 20}" y2="{y}" stroke-dasharray="2 4"/>')
            parts.append(text(20, y + 18, words, "soft small"))
            y += 36
        elif len(who.split()) == 1:
            lines = textwrap.wrap(words, 30)
            x, width = place[who], max(len(line) for line in lines) * 7.3 + 20
            x = min(max(x, 12 + width / 2), WIDTH - 12 - width / 2)
            height = 10 + 18 * len(lines)
            parts.append(
                f'<rect class="note" x="{x - width / 2:g}" y="{y - 4}" width="{width:g}" height="{height}" rx="4"/>'
            )
            for i, line in enumerate(lines):
                parts.append(text(x, y + 13 + 18 * i, line, "ink small mid"))
            y += height + 14
        else:
            a, kind, b = who.split()
            x1, x2 = place[a], place[b]
            gap = 6 if x2 > x1 else -6
            lines = textwrap.wrap(words, int((abs(x2 - x1) - 16) / 6.6))
            for i, line in enumerate(lines):
                parts.append(text((x1 + x2) / 2, y + 12 + 17 * i, line, "ink small mid"))
            y += 17 * len(lines) + 4
            if kind == "x":
                end = x1 + (x2 - x1) * 0.6
                parts += arrow(x1 + gap, y, end, y, "bad", dashed=True)
                parts.append(
                    f'<path class="bad" d="M {end + gap:g} {y - 7} l 14 14 m 0 -14 l -14 14" stroke-width="2"/>'
                )
            else:
                parts += arrow(x1 + gap, y, x2 - gap, y, dashed=kind == "-")
            y += 14
    height = y + 10
    heads = []
    for key, label in actors.items():
        x, width = place[key], max(len(label) * 7.8 + 24, 90)
        heads.append(f'<line class="life" x1="{x:g}" y1="46" x2="{x:g}" y2="{height - 6}" stroke-width="2"/>')
        heads.append(f'<rect class="box" x="{x - width / 2:g}" y="14" width="{width:g}" height="32" rx="6"/>')
        heads.append(text(x, 35, label, "ink bold mid"))
    svg(name, height, title, description, heads + parts)


def boxes(name, height, title, description, nodes, *arrows):
    """Boxes in space: key to (x, y, width, lines, class); arrows are (from, to, text), from side to side."""
    parts, place = [], {}
    for key, (x, y, width, words, look) in nodes.items():
        lines = words.split("\n")
        tall = 16 + 19 * len(lines)
        place[key] = (x, y, width, tall)
        parts.append(f'<rect class="{look}" x="{x}" y="{y}" width="{width}" height="{tall}" rx="6"/>')
        for i, line in enumerate(lines):
            looks = ("on" if look in ("one", "two", "three", "four") else "ink" if i == 0 else "soft") + " small mid"
            parts.append(text(x + width / 2, y + 21 + 19 * i, line, looks + (" bold" if i == 0 and len(lines) > 1 else "")))
    for a, b, words, *looks in arrows:
        (ax, ay, aw, ah), (bx, by, bw, bh) = place[a], place[b]
        if bx >= ax + aw:
            start, end = (ax + aw, ay + ah / 2), (bx, by + bh / 2)
        elif bx + bw <= ax:
            start, end = (ax, ay + ah / 2), (bx + bw, by + bh / 2)
        else:
            x = (max(ax, bx) + min(ax + aw, bx + bw)) / 2
            start, end = ((x, ay + ah), (x, by)) if by > ay else ((x, ay), (x, by + bh))
        if "level" in looks:  # at the height of the smaller one
            level = ay + ah / 2 if ah < bh else by + bh / 2
            start, end = (start[0], level), (end[0], level)
        shift = 8 if "back" in looks else -8 if "forth" in looks else 0
        start, end = (start[0], start[1] + shift), (end[0], end[1] + shift)
        parts += arrow(*start, *end, "bad" if "bad" in looks else "go", "dashed" in looks)
        if words:
            x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            if abs(start[0] - end[0]) < 1:
                parts.append(text(x + 8, y + 4, words, "soft small"))
            else:
                parts.append(text(x, y + (18 if "back" in looks else -7), words, "soft small mid"))
    svg(name, height, title, description, parts)


def bar(x, y, width, look, words):
    return [
        f'<rect class="{look}" x="{x}" y="{y}" width="{width}" height="30"/>',
        text(x + width / 2, y + 20, words, "on small mid"),
    ]


sequence(
    "get",
    "A get",
    "The application asks Keyslot, in its process, for customer 99. Keyslot computes slot 5495 and its owner, partition p2, asks that "
    "server only, checks the header, and decodes the value.",
    {"a": "Application", "k": "Keyslot in the process", "s": "Server p2"},
    ("a > k", "customers.get(99)"),
    ("k", "customer:99 has slot 5495, p2 owns it"),
    ("k > s", "GET customer:99"),
    ("s - k", "header, value"),
    ("k", "check the header, decode"),
    ("k - a", "Customer[Ada, London]"),
)

boxes(
    "missing",
    236,
    "A call while a server is down",
    "If the owner of the key answers, the call is a normal one. If not, a read calls the loader or is a miss; a write throws and "
    "nothing was changed; with journal, it returns, and the old value is deleted before the partition is used again.",
    {
        "call": (20, 14, 150, "call for a key", "box"),
        "ok": (610, 14, 250, "normal call", "two"),
        "down": (20, 123, 150, "owner is down", "three"),
        "read": (330, 74, 200, "read", "box"),
        "write": (330, 123, 200, "write", "box"),
        "journal": (330, 181, 200, "write, with journal", "box"),
        "load": (610, 74, 250, "loader, or a miss", "one"),
        "throw": (610, 123, 250, "exception: nothing was changed", "three"),
        "later": (610, 172, 250, "returns; the old value is deleted\nbefore the next use", "one"),
    },
    ("call", "ok", "the owner answers"),
    ("call", "down", "no answer", "bad"),
    ("down", "read", ""),
    ("down", "write", ""),
    ("down", "journal", ""),
    ("read", "load", ""),
    ("write", "throw", ""),
    ("journal", "later", "", "level"),
)

sequence(
    "load",
    "One of many loads",
    "Process A misses product 7 and gets a lease. It queries the database. Process B sees the lease and looks again every few "
    "milliseconds. A stores the value, if its lease is still there, and B finds it.",
    {"a": "Process A", "s": "Server", "b": "Process B", "d": "Database"},
    ("a > s", "get product:7"),
    ("s - a", "a miss, and the lease"),
    ("a > d", "load 7"),
    ("b > s", "get product:7"),
    ("s - b", "leased: B looks again"),
    ("d - a", "Tea"),
    ("a > s", "store, if the lease is still there"),
    ("b > s", "get product:7"),
    ("s - b", "Tea"),
)

boxes(
    "write-behind",
    150,
    "Write-behind",
    "A put changes the cache and adds the change to a queue of this process; then the caller continues. After the delay, the cache "
    "writer gets the last change of each key, in batches, and writes it to the database.",
    {
        "put": (20, 16, 110, "put", "box"),
        "cache": (190, 16, 130, "cache", "one"),
        "caller": (190, 100, 130, "caller continues", "two"),
        "queue": (390, 6, 150, "queue\nof this process", "box"),
        "writer": (640, 16, 110, "CacheWriter", "box"),
        "db": (640, 100, 110, "database", "three"),
    },
    ("put", "cache", ""),
    ("cache", "queue", "", "level"),
    ("queue", "writer", "delay, batch", "level"),
    ("writer", "db", ""),
    ("cache", "caller", ""),
)

sequence(
    "near",
    "A copy and its invalidation",
    "Process A reads product 7 and keeps a copy; the server remembers that. Process B changes the product. The server tells A, which "
    "drops the copy and reads the new value. While copies are read, A asks four times in each staleness whether it missed a message.",
    {"a": "Process A, with copies", "s": "Server", "b": "Process B"},
    ("a > s", "get product:7 (tracked)"),
    ("s - a", "Tea; the server remembers A"),
    ("a", "further gets use the copy"),
    ("b > s", "put product:7 = Coffee"),
    ("s > a", "invalidation of product:7"),
    ("s - b", "done"),
    ("a", "copy dropped"),
    ("a > s", "get product:7 (tracked)"),
    ("s - a", "Coffee"),
    ("", "four times in staleness, if there is no other traffic"),
    ("a > s", "ping"),
    ("s - a", "pong: earlier changes were reported"),
)

sequence(
    "replica",
    "A read from a replica",
    "Ten times a second the client writes a heartbeat, a number, to the primary, which replicates it. A replica answers with the value "
    "and its heartbeat. If that heartbeat is recent enough, the value is used; if not, the primary is asked.",
    {"c": "Client", "p": "Primary", "r": "Replica"},
    ("c > p", "heartbeat 41 (ten times a second)"),
    ("p - r", "replication, with some lag"),
    ("c > r", "get customer:99, and the heartbeat"),
    ("r - c", "Ada, heartbeat 41"),
    ("c", "41 is recent: use Ada"),
    ("c > r", "get customer:7, and the heartbeat"),
    ("r - c", "Eve, heartbeat 12"),
    ("c", "too old: ask the primary"),
)

sequence(
    "move",
    "A move of one chunk of slots",
    "keyslot apply copies the keys of a chunk from the source to the target while applications write to the source, and copies again "
    "what was written. During the cutover, writes wait for milliseconds: the rest is copied and the map gets a new owner. Then calls "
    "go to the target, and the source is cleaned.",
    {"a": "Applications", "s": "Source", "c": "keyslot apply", "t": "Target"},
    ("", "seconds to hours: reads and writes go to the source"),
    ("s - c", "keys of the chunk, in batches"),
    ("c > t", "store them"),
    ("a > s", "writes; the source notes them"),
    ("c > t", "store those again"),
    ("", "milliseconds, the cutover: writes to the chunk wait"),
    ("s - c", "the rest"),
    ("c > t", "store it"),
    ("c", "new owner in the map"),
    ("", "from now on"),
    ("a > t", "calls go to the target"),
    ("c > s", "remove the chunk"),
)

sequence(
    "failover",
    "A failover by Sentinel",
    "The sentinels promote a replica. Keyslot asks them each second; when more than half of them name the new address, it gives up its "
    "connection to the former primary, connects to the promoted replica and checks its role. A new incarnation begins, which is cold.",
    {"k": "Keyslot", "n": "Sentinels", "p": "Former primary", "r": "Promoted replica"},
    ("n > r", "you are the primary now"),
    ("k > n", "where is cache-a? (each second)"),
    ("n - k", "at R, says the majority"),
    ("k x p", "connection given up"),
    ("k > r", "connect, ROLE"),
    ("r - k", "primary; a new incarnation begins, cold"),
)

sequence(
    "transaction",
    "A group transaction",
    "The code of a transaction reads A and B; the second read checks that A is unchanged. The commit is one script that checks both and "
    "applies all changes, or none. If another process has changed A meanwhile, the code runs again.",
    {"t": "Transaction", "s": "Server of the group", "o": "Another process"},
    ("t > s", "read A"),
    ("t > s", "read B, if A is unchanged"),
    ("o > s", "change A"),
    ("t > s", "commit, if A and B are unchanged"),
    ("s - t", "A has changed: nothing was done"),
    ("t", "the code runs again"),
    ("t > s", "read A; read B, if A is unchanged"),
    ("t > s", "commit, if A and B are unchanged"),
    ("s - t", "all changes are done, at once"),
)

sequence(
    "lost-reply",
    "A lost reply",
    "The server executes a put, and the reply is lost. Keyslot reads the entry. Its new stamp shows that the put is done, the old one "
    "that it can be sent again; any other stamp leaves the outcome unknown, and the call throws OutcomeUnknownException.",
    {"k": "Keyslot in the process", "s": "Server"},
    ("k > s", "put customer:99, with a new stamp"),
    ("s x k", "the reply is lost"),
    ("k > s", "read the entry"),
    ("", "three possible answers"),
    ("s - k", "the new stamp: the put is done"),
    ("s - k", "the old stamp: not done, sent again"),
    ("s - k", "another stamp: OutcomeUnknownException"),
)

sequence(
    "spring",
    "Spring's annotations while a server is down",
    "Without the server, @Cacheable calls the method and returns its result without storing it. @CacheEvict returns; the deletion is "
    "kept in this process. When the server is back, the deletion is done first, and then the entry is read again.",
    {"r": "Request", "k": "Keyslot in the process", "s": "Server, down"},
    ("r > k", "@Cacheable"),
    ("k x s", "get"),
    ("k - r", "a miss: the method is called, its result is not stored"),
    ("r > k", "@CacheEvict"),
    ("k", "pending delete"),
    ("k - r", "returns"),
    ("", "the server is back"),
    ("k > s", "delete first"),
    ("k > s", "then read and store again"),
)

boxes(
    "states",
    232,
    "The states of a partition",
    "A healthy partition is suspect after a timeout or a lost connection. It is healthy again after an answer, and missing after three "
    "timeouts in a row or 300 ms without a connection. From time to time it is probed with one connect, and is healthy when connected "
    "and its pending deletes are done.",
    {
        "healthy": (20, 30, 150, "healthy", "two"),
        "suspect": (390, 30, 150, "suspect", "three"),
        "missing": (390, 172, 150, "missing", "box"),
        "probing": (20, 172, 150, "probing", "box"),
    },
    ("healthy", "suspect", "timeout, or connection lost", "forth"),
    ("suspect", "healthy", "answer, or reconnected", "back"),
    ("suspect", "missing", "three timeouts in a row, or no reconnect in 300 ms"),
    ("missing", "probing", "from time to time, one connect", "forth"),
    ("probing", "missing", "failed", "back", "bad"),
    ("probing", "healthy", "connected, pending deletes done"),
)

boxes(
    "group",
    246,
    "A group is in one slot",
    "The root customer:99, its orders 1001 and 1002, its cart, its history and its visits all have customer:99 in braces, or as their "
    "whole key. So all have slot 5495, which partition p2 owns.",
    {
        "root": (20, 14, 330, "root  customer:99", "box"),
        "rows": (20, 60, 330, "rows  order:{customer:99}:1001, …:1002", "box"),
        "cart": (20, 106, 330, "hash  cart:{customer:99}", "box"),
        "list": (20, 152, 330, "list  history:{customer:99}", "box"),
        "count": (20, 198, 330, "counter  visits:{customer:99}", "box"),
        "slot": (520, 97, 130, "slot 5495\nof customer:99", "box"),
        "p2": (730, 97, 130, "partition p2\none server", "two"),
    },
    ("root", "slot", ""),
    ("rows", "slot", ""),
    ("cart", "slot", ""),
    ("list", "slot", ""),
    ("count", "slot", ""),
    ("slot", "p2", ""),
)

boxes(
    "placement",
    200,
    "Placements give slots to roots",
    "tenant:acme and tenant:acme,7 match the list entry acme: slot 16384, owned by p4. tenant:big, 1 to 99, are in four slots, 16385 to "
    "16388, owned by p2. Any other tenant is hashed to one of the slots 0 to 16383.",
    {
        "acme": (20, 14, 220, "tenant:acme\ntenant:acme,7", "box"),
        "big": (20, 82, 220, "tenant:big,1 … 99", "box"),
        "other": (20, 144, 220, "tenant:other", "box"),
        "s1": (420, 23, 200, "slot 16384", "box"),
        "s2": (420, 82, 200, "slots 16385 to 16388", "box"),
        "s3": (420, 144, 200, "slots 0 to 16383", "box"),
        "p4": (730, 23, 130, "p4", "four"),
        "p2": (730, 82, 130, "p2", "two"),
        "all": (730, 144, 130, "by the map", "box"),
    },
    ("acme", "s1", "list: acme", "level"),
    ("big", "s2", "list: big, width 4"),
    ("other", "s3", "else: hash"),
    ("s1", "p4", ""),
    ("s2", "p2", ""),
    ("s3", "all", ""),
)

svg(
    "grow",
    176,
    "A fourth server",
    "Before: three servers own a third of the 16,384 slots each. After keyslot apply: each of four owns a quarter; the new one has got "
    "1,365 or 1,366 slots from each of the others.",
    [
        text(20, 26, "three servers, 16,384 slots", "soft small"),
        *bar(20, 36, 278, "one", "p1: 5,462"),
        *bar(301, 36, 278, "two", "p2: 5,461"),
        *bar(582, 36, 278, "three", "p3: 5,461"),
        *arrow(264, 70, 664, 116, dashed=True),
        *arrow(545, 70, 735, 116, dashed=True),
        *arrow(826, 70, 806, 116, dashed=True),
        *bar(20, 120, 208, "one", "p1: 4,096"),
        *bar(231, 120, 208, "two", "p2: 4,096"),
        *bar(442, 120, 208, "three", "p3: 4,096"),
        *bar(653, 120, 207, "four", "p4: 4,096"),
        text(20, 110, "keyslot apply: applications continue", "soft small"),
    ],
)

boxes(
    "entry",
    86,
    "An entry",
    "Under the text key customer:99 there is a header of 22 bytes, with epoch, stamp and checksums, followed by the value as the codec "
    "has encoded it.",
    {
        "key": (20, 14, 190, "key, as text\ncustomer:99", "box"),
        "header": (300, 14, 240, "header, 22 bytes\nepoch, stamp, checksums", "box"),
        "value": (540, 14, 320, "value\nby the codec: Kryo, JSON, UTF-8, …", "box"),
    },
    ("key", "header", ""),
)

boxes(
    "meters",
    168,
    "Where the meters count",
    "keyslot.call observes the call of an application. cache.gets, cache.puts and keyslot.near.hits count at the cache, keyslot.loads at "
    "the loader, keyslot.command and db.client.operation.duration at the command, keyslot.partition.state at the server, which has "
    "used_memory and evicted_keys itself.",
    {
        "caller": (20, 14, 150, "caller\nkeyslot.call", "box"),
        "cache": (270, 14, 220, "cache\ncache.gets, cache.puts", "one"),
        "near": (610, 14, 250, "near cache\nkeyslot.near.hits", "box"),
        "command": (270, 100, 220, "command\nkeyslot.command", "box"),
        "loader": (20, 100, 150, "loader\nkeyslot.loads", "three"),
        "server": (610, 100, 250, "server\nkeyslot.partition.state", "two"),
    },
    ("caller", "cache", ""),
    ("cache", "near", ""),
    ("cache", "command", ""),
    ("cache", "loader", "a miss"),
    ("command", "server", ""),
)

boxes(
    "precedence",
    66,
    "Which source decides a setting",
    "The first that has the setting decides: code, then properties or keyslot.yaml for this cache, then properties or keyslot.yaml for "
    "all caches, then the default.",
    {
        "code": (20, 6, 190, "code\nPartitionedConfiguration", "box"),
        "cache": (250, 6, 200, "this cache\nproperties, keyslot.yaml", "box"),
        "all": (490, 6, 200, "all caches\nproperties, keyslot.yaml", "box"),
        "default": (730, 6, 130, "default\nof the setting", "box"),
    },
    ("code", "cache", ""),
    ("cache", "all", ""),
    ("all", "default", ""),
)

boxes(
    "group-by",
    218,
    "Which key to group by",
    "If no two entries must change or be listed together, use no group. If their common root cannot grow beyond one server, group by it. "
    "If it can, and there is a smaller root that the calls need, group by that one; otherwise split the root by time or by a number.",
    {
        "q1": (20, 14, 330, "Must two entries change together,\nor be listed together?", "box"),
        "none": (530, 23, 330, "no group: each key has a slot of its own", "one"),
        "q2": (20, 84, 330, "Can their common root grow\nbeyond one server?", "box"),
        "root": (530, 93, 330, "group by that root", "two"),
        "q3": (20, 154, 330, "Is there a smaller root\nthat the calls need?", "box"),
        "small": (530, 142, 330, "group by the smaller one", "two"),
        "split": (530, 181, 330, "split the root by time or by a number", "three"),
    },
    ("q1", "none", "no", "level"),
    ("q1", "q2", "yes"),
    ("q2", "root", "no", "level"),
    ("q2", "q3", "yes"),
    ("q3", "small", "yes", "level"),
    ("q3", "split", "no", "level"),
)
