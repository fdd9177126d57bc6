// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.WriteBehindFixture.LONGEST_PAUSE;
import static io.keyslot.client.jcache.WriteBehindFixture.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CacheOverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WriteBehindTest {
    private final WriteBehindFixture fixture = new WriteBehindFixture(OPTIONS);
    private final ScriptedWriter writer = fixture.writer;
    private final WriteBehind<String, String> behind = fixture.behind;

    @Nested
    class Writing {
        @Test
        void batch_hasNoMoreThanItsBound() {
            WriteBehindFixture small = new WriteBehindFixture(OPTIONS.withBatch(2));
            List.of("a", "b", "c").forEach(key -> small.put(key, "1"));
            small.passDelay();

            assertThat(small.writer.takeCalls()).containsExactly("write {a=1, b=1}", "write {c=1}");
        }

        @Test
        void laterChange_waitsUntilTheWriterHasAnsweredForTheEarlierOne() {
            fixture.put("a", "1");
            writer.duringNext(() -> {
                fixture.put("a", "2");
                fixture.behind.flush(Duration.ZERO); // makes it due at once
                assertThat(writer.takeCalls()).containsExactly("write {a=1}");
            });
            fixture.passDelay();

            assertThat(writer.takeCalls()).containsExactly("write {a=2}");
            assertThat(writer.database).containsEntry("a", "2");
        }
    }

    @Nested
    class Unsure {
        private void putUnsure(String key, String value) {
            try (OutboxEntry place = fixture.reserve(key)) {
                fixture.fill(place, key, value, true);
            }
        }

        @Test
        void copyOfTheCache_isNotOutdatedByAWriteThatFails() {
            writer.unwritable.add("a");
            putUnsure("a", "1");
            fixture.passDelay();
            assertThat(writer.takeCalls()).containsExactly("write {a=1}");

            writer.unwritable.clear();
            fixture.time.advance(ChangeQueue.FIRST_PAUSE);
            assertThat(writer.takeCalls()).containsExactly("write {a=1}", "outdated [a]");
        }
    }

    @Nested
    class Reserve {
        private final WriteBehindFixture full = new WriteBehindFixture(OPTIONS.withQueue(2));

        @Test
        void callThatGetsNoPlace_isRefusedAndChangesNothing() {
            full.writer.unwritable.addAll(List.of("a", "b"));
            full.put("a", "1");
            full.put("b", "1");

            assertThatThrownBy(() -> full.put("c", "1"))
                    .isInstanceOf(CacheOverloadedException.class)
                    .hasMessageStartingWith("Cache customer: nothing was changed, as the changes of 2 keys wait");
            assertThat(full.isPending("c")).isFalse();
        }
    }

    @Nested
    class InTurn {
        private void whileAnotherChanges(String key, Runnable meanwhile) {
            try (OutboxEntry others = fixture.reserve(key)) {
                others.begin();
                CompletableFuture.runAsync(meanwhile).join();
            }
        }

        private void putInTurn(String... keys) {
            try (OutboxEntry places = fixture.reserve(keys)) {
                places.begin();
                List.of(keys).forEach(key -> fixture.fill(places, key, "1", false));
            }
        }

        @Test
        void callThatIsNotTheFirst_isRefused_andHasChangedNothing() {
            whileAnotherChanges(
                    "a",
                    () -> assertThatThrownBy(() -> putInTurn("b", "a"))
                            .isInstanceOf(CacheOverloadedException.class)
                            .hasMessageStartingWith(
                                    "Cache customer: nothing was changed, as others were changing the entry"));

            assertThat(fixture.queued.getAsInt()).isZero();
            putInTurn("b", "a");
            assertThat(fixture.queued.getAsInt()).isEqualTo(2);
        }
    }

    @Nested
    class Retrying {
        @Test
        void pauses_doubleAndAreHalfRandom() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            fixture.passDelay();
            for (int failures = 1; failures <= 12; failures++) {
                Duration limit = ChangeQueue.pauseLimit(failures);
                Duration pause = fixture.time.scheduler().untilNext();
                assertThat(pause).isBetween(limit.dividedBy(2), limit);
                writer.takeCalls();
                fixture.time.advance(pause);
                assertThat(writer.takeCalls()).isNotEmpty();
            }
            assertThat(ChangeQueue.pauseLimit(1)).isEqualTo(Duration.ofMillis(100));
            assertThat(ChangeQueue.pauseLimit(12)).isEqualTo(Duration.ofSeconds(30));
        }

        @Test
        void changeThatFailsItsBatch_isTriedAloneAndFailsNoOtherOneAgain() {
            writer.failWhole();
            writer.unwritable.add("b");
            List.of("a", "b", "c").forEach(key -> fixture.put(key, "1"));
            fixture.passDelay();
            assertThat(writer.takeCalls()).containsExactly("write {a=1, b=1, c=1}");

            fixture.time.advance(ChangeQueue.FIRST_PAUSE);

            assertThat(writer.takeCalls()).containsExactlyInAnyOrder("write {a=1}", "write {b=1}", "write {c=1}");
            assertThat(writer.database).containsOnlyKeys("a", "c");
            assertThat(fixture.queued.getAsInt()).isEqualTo(1);
        }

        @Test
        void whatTheWriterDidOfABatch_isNotWrittenAgain() {
            writer.unwritable.add("b");
            List.of("a", "b", "c").forEach(key -> fixture.put(key, "1"));
            fixture.passDelay();
            writer.takeCalls();

            writer.unwritable.clear();
            fixture.time.advance(ChangeQueue.FIRST_PAUSE);

            assertThat(writer.takeCalls()).containsExactly("write {b=1}");
            assertThat(fixture.retried.getAsLong()).isEqualTo(1);
            assertThat(fixture.written.getAsLong()).isEqualTo(3);
        }

        @Test
        void changesThatFail_doNotHoldUpOthers() {
            WriteBehindFixture failing = new WriteBehindFixture(OPTIONS.withQueue(100));
            List<String> poisoned = new ArrayList<>();
            for (int i = 0; i < 90; i++) {
                poisoned.add("poisoned" + i);
            }
            failing.writer.unwritable.addAll(poisoned);
            poisoned.forEach(key -> failing.put(key, "1"));
            failing.time.advance(LONGEST_PAUSE);

            failing.put("good", "1");
            failing.passDelay();

            assertThat(failing.writer.database).containsOnlyKeys("good");
        }

        @Test
        void changeThatFailedItsLastAttempt_isDroppedAndCounted_andTheCopyIsOutOfDate() {
            WriteBehindFixture impatient = new WriteBehindFixture(OPTIONS.withAttempts(3));
            impatient.writer.unwritable.add("a");
            impatient.put("a", "1");
            impatient.passDelay();
            impatient.time.advance(LONGEST_PAUSE);

            assertThat(impatient.writer.takeCalls())
                    .containsExactly("write {a=1}", "write {a=1}", "write {a=1}", "outdated [a]");
            assertThat(impatient.queued.getAsInt()).isZero();
            assertThat(impatient.retried.getAsLong()).isEqualTo(2);
            assertThat(impatient.dropped.getAsLong()).isEqualTo(1);
            assertThat(impatient.isPending("a")).isFalse();
        }

        @Test
        void errorOfTheWriter_endsItsThread_andTheRestGoesOn() {
            writer.duringNext(() -> {
                throw new NoClassDefFoundError("of the writer");
            });
            fixture.put("a", "1");
            fixture.delete("b");

            // The scheduler keeps what a task throws, as a pool's thread would pass it on.
            fixture.passDelay();
            fixture.time.advance(ChangeQueue.FIRST_PAUSE);

            assertThat(writer.takeCalls()).containsExactly("write {a=1}", "delete [b]", "write {a=1}");
        }
    }

    @Nested
    class Close {
        @Test
        void close_givesWhatFailedAnotherAttempt() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            fixture.passDelay();
            writer.unwritable.clear();
            behind.close();
            assertThat(writer.database).containsEntry("a", "1");
        }

        @Test
        void whatIsNotWrittenInTime_isLostAndCounted() {
            WriteBehindFixture hurried = new WriteBehindFixture(OPTIONS.withCloseWait(Duration.ZERO));
            hurried.writer.unwritable.add("a");
            hurried.put("a", "1");
            hurried.put("b", "1");

            hurried.behind.close();

            assertThat(hurried.writer.database).containsOnlyKeys("b");
            assertThat(hurried.dropped.getAsLong()).isEqualTo(1);
            assertThat(hurried.queued.getAsInt()).isZero();
            assertThat(hurried.time.scheduler().waiting()).isZero();
        }
    }
}
