// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The lock of a group, between two processes, in virtual time. */
class GroupLockTest {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);
    private static final Duration LEASE = Duration.ofSeconds(3);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    private final CacheGroup group = keyslot.cacheManager().group(ROOT);
    private final CacheGroup elsewhere = keyslot.cacheManager(1).group(ROOT);
    private final PartitionFaults partition =
            keyslot.partition(group.partition().name());

    private static Optional<GroupLock.Held> tryLock(CacheGroup group) {
        return group.lock().tryLock(Duration.ZERO, LEASE);
    }

    private static GroupLock.Held lock(CacheGroup group) {
        return tryLock(group).orElseThrow();
    }

    /** Lets the first process lose its lock, as one does that stands still. */
    private void loseLock() {
        partition.cut(0);
        keyslot.advance(LEASE.plusSeconds(1));
    }

    @Nested
    class TryLock {
        @Test
        void lockThatAnotherHas_isNotTaken() {
            try (GroupLock.Held held = lock(group)) {
                assertThat(held.isHeld()).isTrue();
                assertThat(tryLock(elsewhere)).isEmpty();
                assertThat(tryLock(group)).as("it is not reentrant").isEmpty();
            }
        }

        @Test
        void lockThatIsGivenBackWhileAnotherWaits_isTaken() {
            GroupLock.Held held = lock(group);
            keyslot.after(Duration.ofSeconds(20), held::close);

            Optional<GroupLock.Held> next = elsewhere.lock().tryLock(Duration.ofMinutes(1), LEASE);

            assertThat(next).isPresent();
            assertThat(keyslot.elapsed()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
        }

        @Test
        void waitThatEnds_givesNothing() {
            try (GroupLock.Held held = lock(group)) {
                Duration before = keyslot.elapsed();

                assertThat(elsewhere.lock().tryLock(Duration.ofSeconds(10), LEASE))
                        .isEmpty();

                assertThat(keyslot.elapsed().minus(before))
                        .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_100));
                assertThat(held.isHeld()).isTrue();
            }
        }

        @Test
        void answerThatIsLost_isAskedForAgain() {
            partition.dropReplies(1);

            GroupLock.Held held = lock(group);

            assertThat(held.isHeld()).isTrue();
            assertThat(tryLock(elsewhere)).isEmpty();
        }

        @Test
        void allAnswersLost_leaveNoLockBehind() {
            partition.dropReplies(3);

            assertThatThrownBy(() -> lock(group)).isInstanceOf(PartitionUnavailableException.class);
            keyslot.advance(Duration.ofMillis(500));

            assertThat(tryLock(elsewhere)).isPresent();
        }

        @Test
        void leaseThatIsTooShort_isRefused() {
            assertThatThrownBy(() -> group.lock().tryLock(Duration.ZERO, Duration.ofMillis(99)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(ROOT.text());
        }
    }

    @Nested
    class Lease {
        @Test
        void lockThatIsHeldLong_isRenewed() {
            try (GroupLock.Held held = lock(group)) {
                for (int i = 0; i < 20; i++) {
                    keyslot.advance(LEASE.dividedBy(2));
                    assertThat(tryLock(elsewhere)).isEmpty();
                    assertThat(held.isHeld()).isTrue();
                }
            }
        }

        @Test
        void processThatStops_losesIt() {
            GroupLock.Held held = lock(group);

            loseLock();

            assertThat(held.isHeld()).isFalse();
            assertThat(tryLock(elsewhere)).isPresent();
        }

        @Test
        void renewalThatIsLostOnce_isMadeUpFor() {
            try (GroupLock.Held held = lock(group)) {
                partition.cut(0);
                keyslot.advance(LEASE.dividedBy(2));
                partition.mend(0);
                keyslot.advance(LEASE.multipliedBy(3));

                assertThat(held.isHeld()).isTrue();
                assertThat(tryLock(elsewhere)).isEmpty();
            }
        }

        @Test
        void lockThatATransactionFoundLost_isNotHeldFromThenOn() {
            GroupLock.Held held = lock(group);
            partition.restartWithSameData();
            keyslot.advance(Duration.ofMillis(900));
            assertThat(held.isHeld()).isTrue();

            assertThatThrownBy(() -> held.transactWithoutResult(
                            transaction -> transaction.counter("visits").incrementAndGet()))
                    .isInstanceOf(LockLostException.class);

            assertThat(held.isHeld()).isFalse();
        }

        @Test
        void managerThatIsClosed_givesItBack() {
            GroupLock.Held held = lock(group);

            keyslot.cacheManager().close();

            assertThat(held.isHeld()).isFalse();
            assertThat(tryLock(elsewhere)).isPresent();
        }

        @Test
        void closeOfALostLock_leavesItToTheNextHolder() {
            GroupLock.Held held = lock(group);
            loseLock();
            GroupLock.Held next = lock(elsewhere);
            partition.mend(0);
            keyslot.advance(LEASE.multipliedBy(2));

            held.close();

            assertThat(next.isHeld()).isTrue();
            assertThat(tryLock(group)).isEmpty();
        }
    }

    @Nested
    class Transact {
        @Test
        void holder_changesTheGroup() {
            try (GroupLock.Held held = lock(group)) {
                held.transactWithoutResult(
                        transaction -> transaction.counter("visits").incrementAndGet());
                long visits = held.transact(
                        transaction -> transaction.counter("visits").incrementAndGet());

                assertThat(visits).isEqualTo(2);
            }
        }

        @Test
        void lockThatAnotherHasTakenMeanwhile_changesNothing() {
            GroupLock.Held held = lock(group);
            loseLock();
            GroupLock.Held next = lock(elsewhere);
            partition.mend(0);
            keyslot.advance(LEASE.multipliedBy(2));

            assertThatThrownBy(() -> held.transactWithoutResult(
                            transaction -> transaction.counter("visits").set(-1)))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining(ROOT.text());
            next.transactWithoutResult(
                    transaction -> transaction.counter("visits").incrementAndGet());

            assertThat(elsewhere.counter("visits").get()).isEqualTo(1);
        }

        @Test
        void lockThatIsLostDuringTheWork_changesNothing() {
            GroupLock.Held held = lock(group);

            assertThatThrownBy(() -> held.transactWithoutResult(transaction -> {
                        transaction.rows("visit", String.class).put("1", "blind");
                        loseLock();
                        lock(elsewhere);
                        partition.mend(0);
                        keyslot.advance(LEASE.multipliedBy(2));
                    }))
                    .isInstanceOf(LockLostException.class);

            boolean isThere = elsewhere.transact(
                    transaction -> transaction.rows("visit", String.class).remove("1"));
            assertThat(isThere).isFalse();
        }

        @Test
        void lockThatWasGivenBack_isRefused() {
            GroupLock.Held held = lock(group);
            held.close();

            assertThatThrownBy(() -> held.transactWithoutResult(transaction -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("given back");
        }
    }
}
