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
import io.keyslot.client.partition.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private final Failures failures = new Failures("Cache customer");

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
