// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which servers were the primary of a partition one after the other, as {@code keyslot:meta} says it. Pure.
 *
 * <p>As text: {@code <run id>:<number>} for each life, with spaces between them. A server whose run id is not the first
 * one has come back: what it stored in its earlier time may have been overwritten or removed elsewhere since.
 *
 * @param newestFirst at most {@value #MAX_REMEMBERED}
 */
record Lives(List<Life> newestFirst) {
    /** The field of {@code keyslot:meta}. */
    static final String FIELD = "lives";

    /** What the field is taken for if it is missing. */
    static final String NONE = "";

    static final int MAX_REMEMBERED = 16;

    private static final Pattern LIFE = Pattern.compile("([0-9a-f]{8,64}):(\\d{1,18})");

    /**
     * A time of one process as a primary.
     *
     * @param runId 40 hexadecimal digits that a server draws when it starts
     * @param number how often an epoch of this process has ended before the process did
     */
    record Life(String runId, long number) {
        // The golden ratio: a number of few digits changes all of the epoch's.
        private static final int SPREAD = 0x9e3779b9;

        /**
         * Returns the epoch of the entries that may be served: never 0.
         *
         * <p>It is the beginning of the run id, changed by the number. Two lives share an epoch once in four thousand
         * million times.
         */
        int epoch() {
            int epoch = Integer.parseUnsignedInt(runId.substring(0, 8), 16) + (int) number * SPREAD;
            return epoch == 0 ? 1 : epoch;
        }

        private Life next() {
            return new Life(runId, number + 1);
        }
    }

    /** Reads the field. What nobody can read is passed over. */
    static Lives parse(String text) {
        Matcher matcher = LIFE.matcher(text);
        List<Life> lives = new ArrayList<>();
        while (matcher.find() && lives.size() < MAX_REMEMBERED) {
            lives.add(new Life(matcher.group(1), Long.parseLong(matcher.group(2))));
        }
        return new Lives(List.copyOf(lives));
    }

    /** Returns the lives with that of this server as the newest one: the same ones if it is. */
    Lives entered(String runId) {
        return isNewest(runId) ? this : startingWith(returned(runId));
    }

    /** Returns the lives after the present epoch of this server has ended. */
    Lives renewed(String runId) {
        return startingWith(entered(runId).newest().next());
    }

    /** Returns the newest one; there is one after {@link #entered}. */
    Life newest() {
        return newestFirst.get(0);
    }

    String text() {
        return newestFirst.stream()
                .map(life -> life.runId() + ":" + life.number())
                .collect(Collectors.joining(" "));
    }

    private boolean isNewest(String runId) {
        return !newestFirst.isEmpty() && newest().runId().equals(runId);
    }

    private Life returned(String runId) {
        return newestFirst.stream()
                .filter(life -> life.runId().equals(runId))
                .findFirst()
                .map(Life::next)
                .orElseGet(() -> new Life(runId, numberOfAStranger()));
    }

    /** A server may have been forgotten once others are: then its number must be larger than any that it had. */
    private long numberOfAStranger() {
        return newestFirst.size() < MAX_REMEMBERED
                ? 0
                : newestFirst.stream().mapToLong(Life::number).max().orElse(0) + 1;
    }

    private Lives startingWith(Life first) {
        return new Lives(Stream.concat(
                        Stream.of(first),
                        newestFirst.stream().filter(life -> !life.runId().equals(first.runId())))
                .limit(MAX_REMEMBERED)
                .toList());
    }
}
