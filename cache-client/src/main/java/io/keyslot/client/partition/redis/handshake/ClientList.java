// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code CLIENT LIST} says: a line for each client, with {@code id}, {@code name} and {@code db} among others. Pure. */
final class ClientList {
    private static final Pattern ID = Pattern.compile("(?:^| )id=(\\d{1,18})(?: |$)");
    private static final Pattern NAME = Pattern.compile("(?:^| )name=(keyslot:\\S*:\\d+)(?: |$)");
    private static final Pattern DATABASE = Pattern.compile("(?:^| )db=(\\d+)(?: |$)");

    private ClientList() {}

    /**
     * Returns the numbers of the clients of Keyslot that use the same database as the one with this number. Those in their
     * handshake do not use it yet.
     */
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
