// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import static io.keyslot.client.writing.WriteBehindFixture.DELAY;
import static io.keyslot.client.writing.WriteBehindFixture.LONGEST_PAUSE;
import static io.keyslot.client.writing.WriteBehindFixture.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.writing.ChangeQueue.PendingChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WriteBehindTest {
    private final WriteBehindFixture fixture = new WriteBehindFixture(OPTIONS);
    private final ScriptedWriter writer = fixture.writer;
    private final WriteBehind<String, String> behind = fixture.behind;

    @Nested
    class Writing {
        @Test
        void change_isWrittenAfterTheDelay_andNoSooner() {
            fixture.put("a", "1");
            fixture.time.advance(DELAY.minusMillis(1));
            assertThat(writer.takeCalls()).isEmpty();

            fixture.time.advance(Duration.ofMillis(1));

            assertThat(writer.takeCalls()).containsExactly("write {a=1}");
            assertThat(behind.queued()).isZero();
            assertThat(behind.written()).isEqualTo(1);
        }

        @Test
        void changesOfOneKey_areWrittenOnce_whenTheFirstIsDue() {
            fixture.put("a", "1");
            fixture.time.advance(DELAY.minusMillis(1));
            fixture.delete("a");
            fixture.put("a", "3");
            fixture.time.advance(Duration.ofMillis(1));

            assertThat(writer.takeCalls()).containsExactly("write {a=3}");
        }

        @Test
        void putsAndDeletes_areWrittenByCallsOfTheirOwn() {
            fixture.put("a", "1");
            fixture.delete("b");
            fixture.put("c", "1");
            fixture.passDelay();

            assertThat(writer.takeCalls()).containsExactly("write {a=1, c=1}", "delete [b]");
        }

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

        @Test
        void changeWithoutDelay_isWrittenAtOnce() {
            WriteBehindFixture hasty = new WriteBehindFixture(OPTIONS.withDelay(Duration.ZERO));
            hasty.put("a", "1");
            assertThat(hasty.writer.takeCalls()).containsExactly("write {a=1}");
        }

        @Test
        void poolThatIsFull_isAskedAgain() {
            Deque<Boolean> refusals = new ArrayDeque<>(List.of(true));
            WriteBehindFixture refused = new WriteBehindFixture(OPTIONS, task -> {
                if (refusals.poll() != null) {
                    throw new RejectedExecutionException("full");
                }
                task.run();
            });
            refused.put("a", "1");
            refused.passDelay();
            assertThat(refused.writer.takeCalls()).isEmpty();

            refused.time.advance(Duration.ofMillis(100));
            assertThat(refused.writer.takeCalls()).containsExactly("write {a=1}");
        }

        @Test
        void nothing_isScheduledWhileNothingWaits() {
            fixture.put("a", "1");
            fixture.passDelay();
            assertThat(fixture.time.scheduler().waiting()).isZero();
        }
    }

    @Nested
    class Unsure {
        private void putUnsure(String key, String value) {
            try (OutboxEntry<String, String> place = fixture.reserve(key)) {
                place.fillUnsure(key, new PendingChange<>(value));
            }
        }

        @Test
        void copyOfTheCache_isOutdatedWhenTheChangeIsWritten() {
            putUnsure("a", "1");
            fixture.put("b", "1");
            fixture.passDelay();
            assertThat(writer.takeCalls()).containsExactly("write {a=1, b=1}", "outdated [a]");
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

        @Test
        void laterChange_isWrittenBeforeTheCopyIsOutdated() {
            putUnsure("a", "1");
            writer.duringNext(() -> fixture.put("a", "2"));
            fixture.passDelay();
            assertThat(writer.takeCalls()).containsExactly("write {a=1}");

            fixture.passDelay();
            assertThat(writer.takeCalls()).containsExactly("write {a=2}", "outdated [a]");
        }
    }

    @Nested
    class Reserve {
        private final WriteBehindFixture full = new WriteBehindFixture(OPTIONS.withQueue(2));

        @Test
        void keyThatHasAPlace_isLetInThoughTheQueueIsFull() {
            full.writer.unwritable.add("a");
            full.writer.unwritable.add("b");
            full.put("a", "1");
            full.put("b", "1");
            full.put("a", "2");
            assertThat(full.behind.queued()).isEqualTo(2);
        }

        @Test
        void callThatNeedsAPlace_hasWhatWaitsWrittenWithoutDelay() {
            full.put("a", "1");
            full.put("b", "1");
            full.put("c", "1");
            assertThat(full.writer.takeCalls()).containsExactly("write {a=1, b=1}");
            assertThat(full.behind.queued()).isEqualTo(1);
        }

        @Test
        void callThatGetsNoPlace_isRefusedAndChangesNothing() {
            full.writer.unwritable.addAll(List.of("a", "b"));
            full.put("a", "1");
            full.put("b", "1");

            assertThatThrownBy(() -> full.put("c", "1"))
                    .isInstanceOf(CacheOverloadedException.class)
                    .hasMessageStartingWith("Cache customer: nothing was changed, as the changes of 2 keys wait");
            assertThat(full.behind.pending("c")).isEmpty();
        }

        @Test
        void places_areTakenTogetherOrNotAtAll() {
            full.writer.unwritable.add("a");
            full.put("a", "1");
            assertThatThrownBy(() -> full.reserve("b", "c")).isInstanceOf(CacheOverloadedException.class);
            assertThat(full.behind.queued()).isEqualTo(1);
            full.put("b", "1");
        }

        @Test
        void placeThatIsNotFilled_isGivenBack() {
            full.reserve("a", "b").close();
            assertThat(full.behind.queued()).isZero();
            full.passDelay();
            assertThat(full.writer.takeCalls()).isEmpty();
        }

        @Test
        void placeThatIsHeld_isNotGivenAwayWhenAnEarlierChangeIsWritten() {
            full.put("a", "1");
            try (OutboxEntry<String, String> held = full.reserve("a")) {
                full.passDelay();
                assertThat(full.behind.queued()).isEqualTo(1);
                held.fill("a", new PendingChange<>("2"));
            }
            full.passDelay();
            assertThat(full.writer.database).containsEntry("a", "2");
        }
    }

    @Nested
    class InTurn {
        /** With a waiter that never waits, what another call has done is what happens when a wait is over. */
        private void whileAnotherChanges(String key, Runnable meanwhile) {
            try (OutboxEntry<String, String> others = fixture.reserve(key)) {
                others.begin();
                meanwhile.run();
            }
        }

        private void putInTurn(String... keys) {
            try (OutboxEntry<String, String> places = fixture.reserve(keys)) {
                places.begin();
                List.of(keys).forEach(key -> places.fill(key, new PendingChange<>("1")));
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

            assertThat(behind.queued()).isZero();
            putInTurn("b", "a");
            assertThat(behind.queued()).isEqualTo(2);
        }

        @Test
        void otherKeys_areNotHeldUp() {
            whileAnotherChanges("a", () -> putInTurn("b"));
            assertThat(behind.pending("b")).contains(new PendingChange<>("1"));
        }

        @Test
        void interruptedThread_hearsOfIt() {
            whileAnotherChanges("a", () -> {
                Thread.currentThread().interrupt();
                try {
                    assertThatThrownBy(() -> putInTurn("a"))
                            .isInstanceOf(CallInterruptedException.class)
                            .hasMessageContaining("nothing was changed");
                    assertThatThrownBy(() -> behind.awaitChanges(List.of("a")))
                            .isInstanceOf(CallInterruptedException.class)
                            .hasMessageContaining("nothing was loaded");
                } finally {
                    assertThat(Thread.interrupted()).isTrue();
                }
            });
        }

        @Test
        void interruptedThreadThatWaitsForAPlace_hearsOfIt() {
            WriteBehindFixture full = new WriteBehindFixture(OPTIONS.withQueue(1));
            full.writer.unwritable.add("a");
            full.put("a", "1");
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> full.put("b", "1")).isInstanceOf(CallInterruptedException.class);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }

        @Test
        void whoLoads_waitsForTheChangeThatIsUnderWay_andForNoOther() {
            behind.awaitChanges(List.of("a"));
            whileAnotherChanges("a", () -> {
                behind.awaitChanges(List.of("b"));
                assertThatThrownBy(() -> behind.awaitChanges(List.of("b", "a")))
                        .isInstanceOf(CacheOverloadedException.class)
                        .hasMessageContaining("nothing was loaded");
            });
            behind.awaitChanges(List.of("a"));
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
            assertThat(behind.queued()).isEqualTo(1);
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
            assertThat(behind.retried()).isEqualTo(1);
            assertThat(behind.written()).isEqualTo(3);
        }

        @Test
        void laterChange_standsInForOneThatFailed() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            fixture.passDelay();
            fixture.put("a", "2");
            writer.unwritable.clear();
            writer.takeCalls();

            fixture.time.advance(ChangeQueue.FIRST_PAUSE);

            assertThat(writer.takeCalls()).containsExactly("write {a=2}");
        }

        @Test
        void changeThatCameWhileAnEarlierOneFailed_standsInForIt() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            writer.duringNext(() -> fixture.put("a", "2"));
            fixture.passDelay();
            writer.takeCalls();

            writer.unwritable.clear();
            fixture.passDelay();

            assertThat(writer.takeCalls()).containsExactly("write {a=2}");
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
            assertThat(impatient.behind.queued()).isZero();
            assertThat(impatient.behind.retried()).isEqualTo(2);
            assertThat(impatient.behind.dropped()).isEqualTo(1);
            assertThat(impatient.behind.pending("a")).isEmpty();
        }

        @Test
        void laterChange_hasAllAttempts() {
            WriteBehindFixture impatient = new WriteBehindFixture(OPTIONS.withAttempts(2));
            impatient.writer.unwritable.add("a");
            impatient.put("a", "1");
            impatient.passDelay();
            impatient.put("a", "2");
            impatient.writer.takeCalls();

            impatient.time.advance(LONGEST_PAUSE);

            assertThat(impatient.writer.takeCalls()).containsExactly("write {a=2}", "write {a=2}", "outdated [a]");
            assertThat(impatient.behind.dropped()).isEqualTo(1);
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
    class Pending {
        @Test
        void changeThatWaits_isPending() {
            fixture.put("a", "1");
            fixture.delete("b");
            assertThat(behind.pending("a")).contains(new PendingChange<>("1"));
            assertThat(behind.pending("b")).contains(new PendingChange<>(null));
            assertThat(behind.pending("c")).isEmpty();
        }

        @Test
        void changeUnderWay_isPendingUntilItIsWritten() {
            fixture.put("a", "1");
            writer.duringNext(() -> assertThat(behind.pending("a")).contains(new PendingChange<>("1")));
            fixture.passDelay();
            assertThat(behind.pending("a")).isEmpty();
        }

        @Test
        void laterChange_isTheOneThatIsPending() {
            fixture.put("a", "1");
            writer.duringNext(() -> {
                fixture.delete("a");
                assertThat(behind.pending("a")).contains(new PendingChange<>(null));
            });
            fixture.passDelay();
            assertThat(behind.pending("a")).contains(new PendingChange<>(null));
        }

        @Test
        void changeThatTheCacheHasNotMade_isNotPending() {
            try (OutboxEntry<String, String> held = fixture.reserve("a")) {
                assertThat(behind.pending("a")).isEmpty();
                held.fill("a", new PendingChange<>("1"));
            }
        }
    }

    @Nested
    class Flush {
        @Test
        void flush_writesWithoutDelay() {
            fixture.put("a", "1");
            assertThat(behind.flush(Duration.ZERO)).isTrue();
            assertThat(writer.takeCalls()).containsExactly("write {a=1}");
        }

        @Test
        void flushOfNothing_isTrue() {
            assertThat(behind.flush(Duration.ZERO)).isTrue();
        }

        @Test
        void flushOfWhatFails_isFalse_andTheChangesStay() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            assertThat(behind.flush(Duration.ZERO)).isFalse();
            assertThat(behind.queued()).isEqualTo(1);
        }

        @Test
        void flush_doesNotWaitForThePauseOfWhatFailed() {
            writer.unwritable.add("a");
            fixture.put("a", "1");
            fixture.passDelay();
            writer.unwritable.clear();
            assertThat(behind.flush(Duration.ZERO)).isTrue();
        }

        @Test
        void flushOfAChangeThatALaterOneReplaced_isTrueWhenThatOneIsWritten() {
            List<Runnable> started = new ArrayList<>();
            WriteBehindFixture held = new WriteBehindFixture(OPTIONS, started::add);
            held.put("a", "1");
            assertThat(held.behind.flush(Duration.ZERO)).isFalse();

            held.writer.duringNext(() -> held.put("a", "2"));
            started.remove(0).run();

            assertThat(held.writer.takeCalls()).containsExactly("write {a=1}");
            assertThat(held.behind.pending("a")).contains(new PendingChange<>("2"));
        }
    }

    @Nested
    class Close {
        @Test
        void close_writesEverything() {
            fixture.put("a", "1");
            fixture.delete("b");
            behind.close();
            assertThat(writer.takeCalls()).containsExactly("write {a=1}", "delete [b]");
            assertThat(behind.dropped()).isZero();
        }

        @Test
        void closeTwice_doesNothingMore() {
            fixture.put("a", "1");
            behind.close();
            behind.close();
            assertThat(behind.written()).isEqualTo(1);
        }

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
            assertThat(hurried.behind.dropped()).isEqualTo(1);
            assertThat(hurried.behind.queued()).isZero();
            assertThat(hurried.time.scheduler().waiting()).isZero();
        }

        @Test
        void changeAfterClose_isRefused() {
            behind.close();
            assertThatThrownBy(() -> fixture.put("a", "1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cache customer is closed");
        }

        @Test
        void callThatHasItsPlace_isWaitedFor() {
            OutboxEntry<String, String> held = fixture.reserve("a");
            behind.beginClose();
            held.fill("a", new PendingChange<>("1"));
            behind.close();
            assertThat(writer.takeCalls()).containsExactly("write {a=1}");
        }

        @Test
        void callThatOutlastsTheClosing_losesItsChange() {
            WriteBehindFixture hurried = new WriteBehindFixture(OPTIONS.withCloseWait(Duration.ZERO));
            try (OutboxEntry<String, String> held = hurried.reserve("a")) {
                hurried.behind.close();
                held.fill("a", new PendingChange<>("1"));
            }
            assertThat(hurried.behind.dropped()).isEqualTo(1);
        }
    }
}
