// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The rules of the house that more than one module follows. */
public final class ArchitectureRules {
    private static final String SYSTEM_TICKER = "io.keyslot.client.concurrent.SystemTicker";
    private static final String SYSTEM_WAITER = "io.keyslot.client.concurrent.SystemWaiter";
    private static final String DEADLINE = "io.keyslot.client.concurrent.Deadline";
    private static final String DRIVEN_EVENT_LOOP = "io.keyslot.client.partition.redis.DrivenEventLoop";

    private static final String SEAT = "io.keyslot.client.partition.redis.Seat";

    private ArchitectureRules() {}

    /** Returns the main classes of the module whose test asks, and of no other one when that is in a jar. */
    public static JavaClasses mainClasses() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(new ImportOption.DoNotIncludeJars())
                .importPackages("io.keyslot");
    }

    /** Returns the classes beside a test, a module's own tests, that are in packages of the client. */
    public static List<String> testsInPackagesOfTheClient(Class<?> test) throws IOException {
        Path root = Path.of(URI.create(
                test.getProtectionDomain().getCodeSource().getLocation().toString()));
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.startsWith("io/keyslot/client/") && name.endsWith(".class"))
                    .toList();
        }
    }

    public static ArchRule packagesHaveNoCycles() {
        return slices().matching("io.keyslot.(**)").should().beFreeOfCycles();
    }

    public static ArchRule packagesAreNullMarked() {
        return classes()
                .should(new ArchCondition<>("be in a package whose package-info is @NullMarked") {
                    @Override
                    public void check(JavaClass item, ConditionEvents events) {
                        boolean satisfied = item.getPackage().isAnnotatedWith(NullMarked.class);
                        events.add(new SimpleConditionEvent(
                                item, satisfied, item.getName() + " is in " + item.getPackageName()));
                    }
                })
                .because("NullAway looks at nothing else");
    }

    public static ArchRule onlyTheRedisEngineKnowsLettuce() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.keyslot.client.partition.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..")
                .because("the port must not say which engine is behind it");
    }

    public static ArchRule onlyMetricsKnowMicrometer() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.keyslot.client.telemetry..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("Micrometer is optional at run time");
    }

    /** A stream over no bytes, which only answers a class's {@code readObject}, reads none. */
    public static ArchRule onlyCodecsReadSerializedObjects() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.keyslot.client.codec..")
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "it reads objects from bytes", ArchitectureRules::readsSerializedObjects))
                .because("bytes from outside must not choose the classes that are loaded");
    }

    private static boolean readsSerializedObjects(JavaAccess<?> access) {
        if (!access.getTargetOwner().isAssignableTo(ObjectInputStream.class)
                || !(access.getTarget() instanceof CodeUnitAccessTarget called)) {
            return false;
        }
        return called.getName().equals("readObject")
                || called.getName().equals("readUnshared")
                || called.getRawParameterTypes().stream().anyMatch(type -> type.isAssignableTo(InputStream.class));
    }

    public static ArchRule onlyTheSystemTickerReadsTheClock() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SYSTEM_TICKER)
                .should()
                .accessTargetWhere(called(
                        "read the clock",
                        target -> is(target, System.class, "nanoTime|currentTimeMillis")
                                || is(target, Clock.class, "system.*|tick(Millis|Seconds|Minutes)")
                                || is(target, Temporal.class, "now")
                                || (is(target, Date.class, "<init>")
                                        && target.getRawParameterTypes().isEmpty())))
                .because("time comes in from outside");
    }

    public static ArchRule noneSleeps() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SYSTEM_TICKER)
                .should()
                .accessTargetWhere(called("sleep", ArchitectureRules::sleeps))
                .orShould()
                .accessTargetWhere(spinningBeside(DEADLINE))
                .because(
                        "pauses come from the scheduler that was passed in; who gives a call up waits for nothing but the"
                                + " moment in which another thread hands over a command of it");
    }

    private static boolean sleeps(CodeUnitAccessTarget target) {
        return is(target, Thread.class, "sleep|yield") || is(target, TimeUnit.class, "sleep|timedJoin|timedWait");
    }

    private static DescribedPredicate<JavaAccess<?>> spinningBeside(String spinner) {
        return DescribedPredicate.<JavaAccess<?>>describe(
                        "spin, beside " + spinner,
                        access -> !access.getOriginOwner().getName().equals(spinner))
                .and(called("spin", target -> is(target, Thread.class, "onSpinWait")));
    }

    public static ArchRule onlyTheWaiterAndTheEventLoopBlock() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SYSTEM_WAITER)
                .and()
                .doNotHaveFullyQualifiedName(DRIVEN_EVENT_LOOP)
                .and()
                .doNotHaveFullyQualifiedName(SEAT)
                .should()
                .accessTargetWhere(called("wait for another thread", ArchitectureRules::waits))
                .because("one class waits for futures and alone turns them into exceptions, and one for sockets,"
                        + " with the seat that it takes back");
    }

    private static boolean waits(CodeUnitAccessTarget target) {
        return is(target, Future.class, "get|join")
                || is(target, CountDownLatch.class, "await")
                || is(target, CyclicBarrier.class, "await")
                || is(target, Phaser.class, "await.*|arriveAndAwaitAdvance")
                || is(target, Condition.class, "await.*")
                || is(target, Semaphore.class, "acquire.*")
                || (is(target, Semaphore.class, "tryAcquire") && isTimed(target))
                || is(target, BlockingQueue.class, "take|put")
                || (is(target, BlockingQueue.class, "poll|offer") && isTimed(target))
                || is(target, ExecutorService.class, "awaitTermination|invokeAll|invokeAny|close")
                || is(target, LockSupport.class, "park.*")
                || is(target, Thread.class, "join")
                || is(target, Object.class, "wait");
    }

    private static boolean isTimed(CodeUnitAccessTarget target) {
        return target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(TimeUnit.class));
    }

    private static boolean is(CodeUnitAccessTarget target, Class<?> owner, String names) {
        return target.getName().matches(names) && target.getOwner().isAssignableTo(owner);
    }

    /** Calls, and references such as {@code Future::get}. */
    private static DescribedPredicate<JavaAccess<?>> called(String what, Predicate<CodeUnitAccessTarget> target) {
        return DescribedPredicate.describe(
                what, access -> access.getTarget() instanceof CodeUnitAccessTarget called && target.test(called));
    }
}
