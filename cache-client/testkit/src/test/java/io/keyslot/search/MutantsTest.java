// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The search finds each of these defects, all of which the product once had or could have. */
class MutantsTest {
    /** How many programs a defect may stay hidden in. */
    private static final int MOST_PROGRAMS = 10_000;

    /** A defect, and among which scenarios it is looked for. */
    enum Mutant {
        CHANGE_THAT_LOST_AGAINST_ANOTHER_COUNTS_AS_DONE(
                Focus.PLAIN,
                "io.keyslot.client.jcache.EntryUpdates",
                "} else if (exchange(sent)) {",
                "} else if (exchange(sent) || budget != null) {"),
        ASSUMPTION_IS_TAKEN_FOR_TRUE(
                Focus.PLAIN,
                "io.keyslot.client.jcache.EntryUpdates",
                "} else if (exchange(sent)) {",
                "} else if (exchange(sent) || assumed != null) {"),
        LOSER_OF_A_RACE_HAS_ASKED_THE_WRITER(
                Focus.WRITE_THROUGH,
                "io.keyslot.client.jcache.WriteThroughUpdate",
                "if (!place.isTaken() && place.failure() == null) {",
                "if (!place.isTaken() && place.failure() == null) { writer.write(change.key(), change.value());"),
        WRITER_GETS_CHANGES_IN_ANOTHER_ORDER_THAN_THE_CACHE(
                Focus.WRITE_BEHIND,
                "io.keyslot.client.jcache.WriteBehind",
                "turns.enter(entries);",
                "turns.enter(List.of());"),
        LOAD_MISSES_A_CHANGE_THAT_IS_ABOUT_TO_BE_QUEUED(
                Focus.WRITE_BEHIND, "io.keyslot.client.jcache.LoaderCalls", "writer.awaitChanges(keys);", ""),
        KEY_WHOSE_DELETION_IS_PENDING_IS_ASKED_FOR(
                Focus.REFUSALS,
                "io.keyslot.client.health.Partition",
                "return pendingDeletes.isEmpty();",
                "return true;"),
        DROPPED_CONNECTION_MAKES_THE_PARTITION_MISSING_AT_ONCE(
                Focus.RESETS,
                "io.keyslot.client.health.Health",
                "return new Probing(otherwise, Probing.MOST_AWAITED, pauseNanos);",
                "return otherwise;"),
        INTERRUPTED_READ_IS_A_MISS(Focus.INTERRUPTS, "io.keyslot.client.entry.Failures", """
                return !isInterruption(failure)
                                && !(failure""", "return !(failure"),
        INTERRUPTED_ITERATION_ENDS_EARLY(
                Focus.INTERRUPTS,
                "io.keyslot.client.jcache.ReadPolicy",
                "if (!Failures.isOutage(failure) || missingPartition ==",
                "if (missingPartition =="),
        WRITER_HEARS_OF_A_CHANGE_THAT_WAS_NOT_BEGUN(
                Focus.INTERRUPTED_WRITE_BEHIND,
                "io.keyslot.client.jcache.OutboxEntry",
                "} else if (problem instanceof OutcomeUnknownException) {",
                "} else {"),
        INTERRUPTED_LOADER_FAILS_THOSE_THAT_WAIT_FOR_IT(
                Focus.INTERRUPTED_LOADS,
                "io.keyslot.client.jcache.Loads",
                "throw e; // concerns only this thread",
                "batch.close(); granted.forEach(load -> end(load, LoadResult.failed(e), call)); return;"),
        CALL_THAT_WAS_GIVEN_UP_IS_SENT_AGAIN(
                Focus.BUSY_INTERRUPTS,
                "io.keyslot.client.concurrent.Deadline",
                "givenUp = true;",
                "givenUp = beginning < 0;"),
        PUT_ALL_WITH_LISTENERS_ASKS_THE_WRITER_WITHOUT_A_PLACE(
                Focus.WRITE_THROUGH, "io.keyslot.client.jcache.CacheWrites", """
                if (updates.mayBeBlind(expiry)) {
                            List<K> keys""", """
                if (updates.writer().first() != null && (publisher.hasListeners() || !updates.lifetimes().mayBeBlind(expiry))) {
                    updates.writer().first().writeAll(new java.util.LinkedHashMap<>(map));
                    map.forEach((key, value) -> updates.<Boolean, Boolean>change(
                            "putAll", key, expiry, (current, left) -> new Step<>(Step.Kind.SET_LOADED, value, true, null), made -> made).now());
                    publisher.counters().puts(map.size());
                    return;
                }
                if (updates.mayBeBlind(expiry)) {
                            List<K> keys"""),
        PUT_WITH_A_PENDING_DELETES_ASKS_THE_WRITER_WITHOUT_A_PLACE(
                Focus.WRITE_THROUGH, "io.keyslot.client.jcache.CacheWrites", """
                if (updates.mayBeBlind(expiry)) {
                                putBlind(""", """
                if (updates.writer().first() != null
                        && failed.areJournaled()
                        && (publisher.hasListeners() || !updates.lifetimes().mayBeBlind(expiry))) {
                    publisher.queues().inTurn(calls.encode(key), () -> {
                        updates.writer().first().write(key, value);
                        publisher.counters().puts(1);
                        return updates.<Boolean, Boolean>change(
                                "put", key, expiry, (current, left) -> new Step<>(Step.Kind.SET_LOADED, value, true, null), made -> made).now();
                    });
                } else if (updates.mayBeBlind(expiry)) {
                                putBlind("""),
        JOURNALED_WRITE_LEAVES_WHAT_IS_STORED(
                Focus.WRITE_THROUGH_FAULTS,
                "io.keyslot.client.jcache.WriteThroughUpdate",
                "outdated.add(plan.place().key());",
                "if (plan.place().isTaken()) { outdated.add(plan.place().key()); }"),
        EVENTS_SHARE_OBJECTS(
                Focus.LISTENERS,
                "io.keyslot.client.jcache.EventPublisher",
                "oldValue), copying);",
                "oldValue), shared -> shared);"),
        PROCESSOR_CHANGES_WHAT_IT_HAS_LOADED(
                Focus.LOADS,
                "io.keyslot.client.jcache.ProcessorEntry",
                "case SET_LOADED -> loaded;",
                "case SET_LOADED -> value;"),
        DESTRUCTION_IS_NOT_REPEATED(Focus.ALONE_FAULTS, "io.keyslot.client.jcache.KeyslotCacheManager", """
                cache.removeRemains();
                        synchronized (caches) {
                            destructions.remove(name);
                        }""", """
                synchronized (caches) {
                            destructions.remove(name);
                        }
                        cache.removeRemains();"""),
        TRANSACTION_OVERWRITES_WHAT_CHANGED_MEANWHILE(
                Focus.TRANSACTIONS,
                "io.keyslot.client.group.TransactionRun",
                "new GroupCommand(calls.keys().home(), token, readSet.usedBefore(), steps, stamp)",
                "new GroupCommand(calls.keys().home(), token, List.of(), steps, stamp)"),
        MEMBER_OF_A_GROUP_IS_NOT_LISTED(
                Focus.TRANSACTIONS,
                "io.keyslot.client.jcache.CacheAssembly",
                "return isIndexed() ? key -> key.in(feed).indexed() : key -> key.in(feed);",
                "return key -> key.in(feed);"),
        UPDATE_LETS_THE_TIME_OF_CREATION_BEGIN_ANEW(
                Focus.TIMED,
                "io.keyslot.client.jcache.EntryUpdates",
                "expiry.onChange(current.isPresent())",
                "expiry.onChange(false)"),
        CHANGE_IS_NOT_COUNTED(
                Focus.PLAIN,
                "io.keyslot.client.jcache.EntryUpdates",
                "if (sent.step().isLoaded()) {",
                "if (!sent.step().isLoaded()) {");

        private final Focus focus;
        private final String type;
        private final String snippet;
        private final String replacement;

        Mutant(Focus focus, String type, String snippet, String replacement) {
            this.focus = focus;
            this.type = type;
            this.snippet = snippet;
            this.replacement = replacement;
        }
    }

    /** The product has changed since a mutant was written: it must still change the same rule. */
    @ParameterizedTest
    @EnumSource
    void mutant_compiles(Mutant mutant) {
        assertThat(mutation(mutant).compiled()).isNotEmpty();
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    void mutant_isFound(Mutant mutant) {
        assertThat(mutation(mutant).searched(mutant.focus, MOST_PROGRAMS)).startsWith("Seed ");
    }

    private static Mutation mutation(Mutant mutant) {
        return new Mutation(mutant.type, mutant.snippet, mutant.replacement);
    }
}
