// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows that the rules about calls find what they forbid, references included, and nothing else. */
class ArchitectureRulesTest {
    @ParameterizedTest
    @ValueSource(classes = {Joins.class, JoinsByReference.class, Awaits.class, Polls.class})
    void waiting_isFound(Class<?> offender) {
        assertThat(broken(ArchitectureRules.onlyTheWaiterAndTheEventLoopBlock(), offender))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {ReadsNanos.class, ReadsInstantByReference.class})
    void readingTheClock_isFound(Class<?> offender) {
        assertThat(broken(ArchitectureRules.onlyTheSystemTickerReadsTheClock(), offender))
                .isTrue();
    }

    @Test
    void sleeping_isFound() {
        assertThat(broken(ArchitectureRules.noneSleeps(), Sleeps.class)).isTrue();
        assertThat(broken(ArchitectureRules.noneSleeps(), Spins.class)).isTrue();
    }

    @Test
    void testInAPackageOfTheClient_isFound() throws IOException {
        assertThat(ArchitectureRules.testsInPackagesOfTheClient(ArchitectureRulesTest.class))
                .contains("io/keyslot/client/ArchitectureRulesTest.class");
    }

    @Test
    void callsThatDoNotWait_areAllowed() {
        assertThat(broken(ArchitectureRules.onlyTheWaiterAndTheEventLoopBlock(), DoesNotWait.class))
                .isFalse();
        assertThat(broken(ArchitectureRules.onlyTheSystemTickerReadsTheClock(), DoesNotWait.class))
                .isFalse();
    }

    private static boolean broken(ArchRule rule, Class<?> offender) {
        JavaClasses imported = new ClassFileImporter().importClasses(offender);
        return rule.evaluate(imported).hasViolation();
    }

    static final class Joins {
        static String run(CompletableFuture<String> future) {
            return future.join();
        }
    }

    static final class JoinsByReference {
        static Stream<String> run(List<CompletableFuture<String>> futures) {
            return futures.stream().map(CompletableFuture::join);
        }
    }

    static final class Awaits {
        static boolean run(CountDownLatch latch) throws InterruptedException {
            return latch.await(1, TimeUnit.SECONDS);
        }
    }

    static final class Polls {
        static String run(BlockingQueue<String> queue) throws InterruptedException {
            return String.valueOf(queue.poll(1, TimeUnit.SECONDS));
        }
    }

    static final class ReadsNanos {
        static long run() {
            return System.nanoTime();
        }
    }

    static final class ReadsInstantByReference {
        static Stream<Instant> run() {
            return Stream.generate(Instant::now);
        }
    }

    static final class Sleeps {
        static void run() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class Spins {
        static void run() {
            Thread.onSpinWait();
        }
    }

    static final class DoesNotWait {
        static String run(BlockingQueue<String> queue, CompletableFuture<String> future, List<String> list) {
            return queue.poll() + future.getNow("") + list.get(0) + Instant.ofEpochMilli(0) + future.isDone();
        }
    }
}
