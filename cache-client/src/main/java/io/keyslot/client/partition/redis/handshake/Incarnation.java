// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A time during which what one server has stored may be served, as {@code keyslot:meta} says it. Pure.
 *
 * <p>As text: {@code <id> <state> <serverRun> <ancestors>}, the ancestors with commas between them. A life that is gone from
 * {@code keyslot:meta} never comes back: its id was drawn at random, and whoever comes next draws another one.
 *
 * @param id 16 hexadecimal digits, drawn at random
 * @param serverRun of which server, and since which of its promotions: {@link ServerInfo#serverRun}
 * @param ancestors the ids of the lives that those who began this one knew, newest first; at most {@value #MAX_ANCESTORS}
 */
public record Incarnation(String id, State state, String serverRun, List<String> ancestors) {
    /** How far a life has come. */
    public enum State {
        /** Somebody has begun it, and connections of the life before may still be open. Nobody may use it yet. */
        BEGINNING,
        /** In use. */
        OPEN,
        /** Given up with all that was stored in it. */
        ENDED;

        private static final Pattern TEXT =
                Pattern.compile(Stream.of(values()).map(State::text).collect(Collectors.joining("|")));

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The field of {@code keyslot:meta}. */
    public static final String FIELD = "life";

    /** What the field is taken for if it is missing. */
    static final String NONE = "";

    /** A process that was away for more lives than this begins another one when it is back, which is safe. */
    static final int MAX_ANCESTORS = 32;

    private static final Pattern TEXT = Pattern.compile(
            "([0-9a-f]{16}) (%s) ([0-9a-f]*:[0-9a-f]*) ((?:[0-9a-f]{16}(?:,[0-9a-f]{16})*)?)".formatted(State.TEXT));

    /** Reads the field; empty if there is none, or one that nobody can read. */
    public static Optional<Incarnation> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Incarnation(
                        matcher.group(1),
                        State.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)),
                        matcher.group(3),
                        ancestors(matcher.group(4))))
                : Optional.empty();
    }

    private static List<String> ancestors(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).limit(MAX_ANCESTORS).toList();
    }

    /**
     * Returns the life that comes after all that is known: after the one that the server has recorded, and after the one
     * that this process remembers. Its epoch is that of none of its ancestors.
     */
    public static Incarnation after(
            Optional<Incarnation> recorded, Optional<Incarnation> remembered, String serverRun, Supplier<String> ids) {
        List<String> ancestors = Stream.of(ids(recorded), ids(remembered), elders(recorded), elders(remembered))
                .flatMap(List::stream)
                .distinct()
                .limit(MAX_ANCESTORS)
                .toList();
        String id = Stream.generate(ids)
                .filter(drawn -> ancestors.stream().noneMatch(before -> epoch(before) == epoch(drawn)))
                .findFirst()
                .orElseThrow();
        return new Incarnation(id, State.BEGINNING, serverRun, ancestors);
    }

    private static List<String> ids(Optional<Incarnation> incarnation) {
        return incarnation.map(known -> List.of(known.id())).orElse(List.of());
    }

    private static List<String> elders(Optional<Incarnation> incarnation) {
        return incarnation.map(Incarnation::ancestors).orElse(List.of());
    }

    public String text() {
        return String.join(" ", id, state.text(), serverRun, String.join(",", ancestors));
    }

    /**
     * Returns the epoch of the entries that may be served: never 0. It is the beginning of the id. Two lives that know
     * nothing of each other share one once in four thousand million times.
     */
    public int epoch() {
        return epoch(id);
    }

    /** Returns the epoch of the life with this id. */
    static int epoch(String id) {
        int epoch = Integer.parseUnsignedInt(id.substring(0, 8), 16);
        return epoch == 0 ? 1 : epoch;
    }

    /** Returns whether it is this life, or was begun by somebody who knew of it. */
    boolean isOrFollows(Incarnation other) {
        return id.equals(other.id()) || ancestors.contains(other.id());
    }

    /** Returns the same life as one that was begun after another one too. */
    Incarnation after(Incarnation other) {
        List<String> before = Stream.of(List.of(other.id()), ancestors, other.ancestors())
                .flatMap(List::stream)
                .filter(elder -> !elder.equals(id))
                .distinct()
                .limit(MAX_ANCESTORS)
                .toList();
        return new Incarnation(id, state, serverRun, before);
    }

    public Incarnation opened() {
        return new Incarnation(id, State.OPEN, serverRun, ancestors);
    }

    Incarnation ended() {
        return new Incarnation(id, State.ENDED, serverRun, ancestors);
    }
}
