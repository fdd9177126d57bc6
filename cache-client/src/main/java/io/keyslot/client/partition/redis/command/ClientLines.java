// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.SlotTransfer.Peer;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses {@code CLIENT LIST}: one line per client, with {@code name=value} words. Free of I/O. */
final class ClientLines {
    /** The names of Keyslot's connections, with a dash for the version during the handshake. */
    private static final Pattern OURS = Pattern.compile("keyslot:\\S*:(\\d{1,18}|-)");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private ClientLines() {}

    static List<Peer> peers(String list, long own) {
        return list.lines()
                .map(ClientLines::words)
                .filter(words -> words.containsKey("id"))
                .map(ClientLines::peer)
                .filter(peer -> peer.id() != own)
                .toList();
    }

    private static Map<String, String> words(String line) {
        return Stream.of(line.split(" "))
                .map(word -> word.split("=", 2))
                .filter(word -> word.length == 2)
                .collect(Collectors.toMap(word -> word[0], word -> word[1], (first, second) -> first));
    }

    private static Peer peer(Map<String, String> words) {
        String name = words.getOrDefault("name", "");
        Matcher ours = OURS.matcher(name);
        boolean isOurs = ours.matches();
        return new Peer(
                number(words.getOrDefault("id", "")),
                name,
                isOurs,
                isOurs && !ours.group(1).equals("-") ? Long.parseLong(ours.group(1)) : Peer.ENTERING,
                number(words.getOrDefault("age", "")));
    }

    private static long number(String text) {
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    }
}
