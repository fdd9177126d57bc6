// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The answers of the sentinels about the address of a primary, and the decision. Free of I/O; not thread-safe.
 *
 * <p>It is decided when more than half of all sentinels have named one address, or all have answered. If the time runs
 * out before that, the address named most often wins, the first of them on a tie. It need not be a primary; the
 * handshake checks that at the server.
 */
final class SentinelBallot {
    record Named(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** The answer of a sentinel that does not know the name. */
    static final String UNKNOWN = "no such name";

    private final String service;
    private final int sentinels;
    /** By sentinel: {@link Named}, or why there is no address. */
    private final Map<String, Object> answers = new LinkedHashMap<>();

    SentinelBallot(String service, int sentinels) {
        this.service = service;
        this.sentinels = sentinels;
    }

    /** Adds an address, or the reason for none; returns whether it is decided. */
    boolean add(String sentinel, Object answer) {
        answers.put(sentinel, answer);
        return answers.size() == sentinels || votes().values().stream().anyMatch(count -> 2 * count > sentinels);
    }

    private Map<Named, Long> votes() {
        return answers.values().stream()
                .filter(Named.class::isInstance)
                .map(Named.class::cast)
                .collect(Collectors.groupingBy(named -> named, LinkedHashMap::new, Collectors.counting()));
    }

    /** Returns the winning address among the answers so far; empty if there is none. */
    Optional<Named> winner() {
        Map<Named, Long> votes = votes();
        long most = votes.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return votes.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    Optional<Named> majority() {
        return votes().entrySet().stream()
                .filter(entry -> 2 * entry.getValue() > sentinels)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    boolean isDisputed() {
        return votes().size() > 1;
    }

    ConnectFailure failure(String address) {
        boolean isUnknown = answers.containsValue(UNKNOWN);
        return ConnectFailure.at(
                address,
                isUnknown ? Kind.REJECTED : Kind.UNREACHABLE,
                isUnknown
                        ? "the sentinels know no primary called '%s' (%s); correct the name behind the last /, it is that of"
                                        .formatted(service, this)
                                + " sentinel monitor at the sentinels"
                        : "no sentinel says where '%s' is (%s)".formatted(service, this),
                null);
    }

    @Override
    public String toString() {
        return answers.isEmpty()
                ? "none has answered in time"
                : answers.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining("; "));
    }
}
