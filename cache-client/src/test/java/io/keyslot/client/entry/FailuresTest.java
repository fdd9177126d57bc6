// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailuresTest {
    private final Failures failures = new Failures("Cache customer");

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void refusal_saysThatNothingWasDone(Refusal refusal) {
        KeyslotException failure = failures.ofRead("put", new Reply.Refused<>(refusal, "why"));

        assertThat(failure).isInstanceOf(exceptionFor(refusal)).hasMessage("Cache customer: put was not done: why");
        assertThat(Failures.isOutage(failure))
                .isEqualTo(refusal != Refusal.INTERRUPTED && refusal != Refusal.FORBIDDEN);
    }

    private static Class<? extends KeyslotException> exceptionFor(Refusal refusal) {
        return switch (refusal) {
            case OVERLOADED -> CacheOverloadedException.class;
            case TOO_LARGE -> LimitExceededException.class;
            case INTERRUPTED -> CallInterruptedException.class;
            default -> PartitionUnavailableException.class;
        };
    }

    @Test
    void lostAnswer_ofAReadIsNoAnswer_ofAChangeNotKnown() {
        IllegalStateException cause = new IllegalStateException("cause");
        Reply.Unknown<?> unknown = new Reply.Unknown<>("why", cause);

        assertThat(failures.ofRead("get", unknown))
                .isInstanceOf(PartitionUnavailableException.class)
                .hasMessage("Cache customer: get got no answer: why")
                .hasCause(cause);
        assertThat(failures.ofChange("put", unknown))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessage("Cache customer: no answer to put, it may or may not have been applied: why")
                .hasCause(cause);
    }

    @Test
    void interruption_ofAReadChangedNothing_ofAChangeThatWasSentIsNotKnown() {
        Reply.Unknown<?> unknown = new Reply.Unknown<>("why", new InterruptedException());

        assertThat(failures.ofRead("get", unknown)).isInstanceOf(CallInterruptedException.class);
        assertThat(failures.ofReservation("put", unknown)).isInstanceOf(CallInterruptedException.class);
        assertThat(failures.ofChange("put", unknown))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    /** What is said of one attempt is said of reads and changes: a read that got no answer has changed nothing. */
    @Test
    void onlyThisClass_saysThatAChangeMayHaveBeenApplied() throws IOException {
        Pattern said = Pattern.compile("\"[^\"\n]*may or may not");
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            List<String> saying = sources.filter(source -> source.toString().endsWith(".java"))
                    .filter(source -> said.matcher(read(source)).find())
                    .map(source -> source.getFileName().toString())
                    .toList();

            assertThat(saying).containsExactly("Failures.java");
        }
    }

    private static String read(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void contention_saysWhatToDo() {
        assertThat(failures.ofContention("invoke", 3))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessage("Cache customer: invoke was not done: others changed what it had read in each of 3"
                        + " attempts; repeat the call later, or let fewer processes change it");
    }

    @Nested
    class OfBulk {
        private final Map<Object, KeyslotException> byKey = new LinkedHashMap<>();

        @Test
        void notKnown_isGraverThanNotDone() {
            byKey.put(1, new PartitionUnavailableException("p1 is missing"));
            byKey.put(2, new OutcomeUnknownException("no answer"));

            KeyslotException summary = failures.ofBulk("putAll", byKey);

            assertThat(summary)
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessage("Cache customer: putAll failed for 2 keys, all others are done;"
                            + " the first reason: no answer")
                    .hasCause(byKey.get(2))
                    .hasSuppressedException(byKey.get(1));
            assertThat(summary.failedKeys()).containsExactly(1, 2);
        }

        @Test
        void refusedForGood_isGraverThanMissing_andStaysSo() {
            byKey.put(1, new PartitionUnavailableException("p1 is missing"));
            byKey.put(2, failures.ofRead("get", new Reply.Refused<>(Refusal.FORBIDDEN, "NOPERM")));

            KeyslotException summary = failures.ofBulk("getAll", byKey);

            assertThat(Failures.isOutage(summary)).isFalse();
            assertThat(Failures.isOutage(failures.again(summary))).isFalse();
            assertThat(summary).hasMessageContaining("NOPERM");
        }

        @Test
        void sameReasonOfManyKeys_isToldOnce() {
            for (int key = 0; key < 1000; key++) {
                byKey.put(key, new PartitionUnavailableException(key % 2 == 0 ? "p1 is missing" : "p2 is missing"));
            }

            KeyslotException summary = failures.ofBulk("getAll", byKey);

            assertThat(summary.getSuppressed()).hasSize(1);
            assertThat(summary.failedKeys()).hasSize(1000);
        }

        @Test
        void kind_isThatOfTheFailures() {
            for (KeyslotException failure : new KeyslotException[] {
                new PartitionUnavailableException("a"),
                new CacheOverloadedException("b"),
                new OutcomeUnknownException("c"),
                new CallInterruptedException("i"),
                new LimitExceededException("d"),
                new CodecException("e")
            }) {
                assertThat(failures.ofBulk("putAll", Map.of("key", failure))).hasSameClassAs(failure);
            }
        }
    }
}
