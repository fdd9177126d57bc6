// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code CLIENT LIST}. Free of I/O. */
final class ClientList {
    private static final Pattern ID = Pattern.compile("(?:^| )id=(\\d{1,18})(?: |$)");
    private static final Pattern NAME = Pattern.compile("(?:^| )name=(keyslot:\\S*:\\d+)(?: |$)");
    private static final Pattern DATABASE = Pattern.compile("(?:^| )db=(\\d+)(?: |$)");

    private ClientList() {}

    /** Returns the ids of other Keyslot clients that use the same database, except those in their handshake. */
    static List<Long> othersBeside(long ownId, String list) {
        List<String> lines = list.lines().toList();
        Optional<String> ownDatabase = lines.stream()
                .filter(line -> idOf(line).filter(id -> id == ownId).isPresent())
                .findFirst()
                .flatMap(line -> find(DATABASE, line));
        return lines.stream()
                .filter(line -> find(NAME, line).isPresent())
                .filter(line -> ownDatabase.isEmpty() || find(DATABASE, line).equals(ownDatabase))
                .flatMap(line -> idOf(line).stream())
                .filter(id -> id != ownId)
                .toList();
    }

    private static Optional<Long> idOf(String line) {
        return find(ID, line).map(Long::parseLong);
    }

    private static Optional<String> find(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
