// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A period during which the values stored at one server may be served, as recorded in {@code keyslot:meta}. Free of
 * I/O.
 *
 * <p>Its text is {@code <id> <state> <serverRun> <ancestors>}, with commas between the ancestors. An incarnation that
 * was replaced in {@code keyslot:meta} never comes back, because each id is drawn at random.
 *
 * @param id 16 hexadecimal digits, drawn at random
 * @param state whether it may be used
 * @param serverRun the server, its run and its promotion: {@link ServerInfo#serverRun}
 * @param ancestors the ids of the incarnations known when this one began, newest first; at most {@value #MAX_ANCESTORS}
 */
record Incarnation(String id, State state, String serverRun, List<String> ancestors) {
    enum State {
        /** Begun, but connections of the previous incarnation may be open; must not be used yet. */
        BEGINNING,
        OPEN,
        /** Given up, with all values stored in it. */
        ENDED;

        private static final Pattern TEXT =
                Pattern.compile(Stream.of(values()).map(State::text).collect(Collectors.joining("|")));

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The field of {@code keyslot:meta}. */
    static final String FIELD = "life";

    static final String NONE = "";

    /** A process that has missed more incarnations than this begins another one, which is safe. */
    static final int MAX_ANCESTORS = 32;

    private static final Pattern TEXT = Pattern.compile(
            "([0-9a-f]{16}) (%s) ([0-9a-f]*:[0-9a-f]*) ((?:[0-9a-f]{16}(?:,[0-9a-f]{16})*)?)".formatted(State.TEXT));

    /** Parses the field; empty if it is missing or unreadable. */
    static Optional<Incarnation> parse(String text) {
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

    /** Returns one that follows the recorded and the remembered one, with another epoch than all ancestors. */
    static Incarnation after(
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

    String text() {
        return String.join(" ", id, state.text(), serverRun, String.join(",", ancestors));
    }

    /** Returns the epoch, never 0: the beginning of the id. Two unrelated ones are equal once in four billion. */
    public int epoch() {
        return epoch(id);
    }

    static int epoch(String id) {
        int epoch = Integer.parseUnsignedInt(id.substring(0, 8), 16);
        return epoch == 0 ? 1 : epoch;
    }

    /** Returns whether this is the other incarnation, or was begun with knowledge of it. */
    boolean isOrFollows(Incarnation other) {
        return id.equals(other.id()) || ancestors.contains(other.id());
    }

    Incarnation after(Incarnation other) {
        List<String> before = Stream.of(List.of(other.id()), ancestors, other.ancestors())
                .flatMap(List::stream)
                .filter(elder -> !elder.equals(id))
                .distinct()
                .limit(MAX_ANCESTORS)
                .toList();
        return new Incarnation(id, state, serverRun, before);
    }

    Incarnation opened() {
        return new Incarnation(id, State.OPEN, serverRun, ancestors);
    }

    Incarnation ended() {
        return new Incarnation(id, State.ENDED, serverRun, ancestors);
    }

    /** Returns whether a connection of this incarnation may continue, by the present state of the server. */
    boolean goesOn(Optional<Incarnation> recorded, ServerInfo server) {
        return !server.isReplica()
                && server.serverRun().equals(serverRun)
                && recorded.filter(this::equals).isPresent();
    }

    /** Draws ids. */
    static Supplier<String> randomIds(Random random) {
        return () -> "%016x".formatted(random.nextLong());
    }

    /**
     * The step that a process takes for the incarnation recorded at a server. Free of I/O.
     *
     * <p>An incarnation is used only if it is recorded as open, was begun in the server's present run, and is the one
     * that this process remembers or follows it, unless that one was outvoted ({@link Remembered#beforeAVote}).
     * Otherwise the next one begins, as a successor of both.
     */
    record Succession(Step step, Incarnation incarnation) {
        enum Step {
            USE,
            /** The incarnation was begun: drop the connections of the previous one, then open it. */
            COMPLETE,
            BEGIN
        }

        /** Returns the step for the recorded incarnation, the server's run, and the newest incarnation in use here. */
        static Succession of(
                Optional<Incarnation> recorded,
                String serverRun,
                Optional<Incarnation> remembered,
                Supplier<String> ids) {
            return recorded.filter(incarnation -> isValid(incarnation, serverRun, remembered))
                    .map(incarnation ->
                            new Succession(incarnation.state() == State.OPEN ? Step.USE : Step.COMPLETE, incarnation))
                    .orElseGet(() -> new Succession(Step.BEGIN, after(recorded, remembered, serverRun, ids)));
        }

        private static boolean isValid(Incarnation incarnation, String serverRun, Optional<Incarnation> remembered) {
            return incarnation.state() != State.ENDED
                    && incarnation.serverRun().equals(serverRun)
                    && remembered.map(incarnation::isOrFollows).orElse(true);
        }
    }
}
