// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.history.Action;
import io.keyslot.history.Outcome;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriterException;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** One call: makes it, and writes down what it did to each key. */
final class Attempt {
    private static final long NOTHING = -1;

    private final String caller;
    private final Call call;
    private final OneProcess process;
    private final Scenario scenario;
    private final EmbeddedKeyslot keyslot;
    private final PartitionedCache<Object, Date> cache;
    private final Recorder recorder;
    private final Counted counted;
    private final long start;
    private final String key;
    private final long value;
    private final IdentityHashMap<Date, Long> given = new IdentityHashMap<>();
    private String answer = "";

    Attempt(String caller, Call call, OneProcess process, Recorder recorder) {
        this.caller = caller;
        this.call = call;
        this.process = process;
        this.scenario = process.scenario();
        this.keyslot = process.keyslot();
        this.cache = process.cache();
        this.recorder = recorder;
        this.counted = process.counted();
        this.start = recorder.moment();
        this.key = call.key();
        this.value = call.valueFor(key);
    }

    String answer() {
        return answer;
    }

    void make() {
        switch (call.kind()) {
            case GET -> read(readAction(), this::get, this::countLookup);
            case CONTAINS_KEY ->
                read(
                        Action.CONTAINS,
                        () -> isAsync() ? await(cache.containsKeyAsync(k())) : cache.containsKey(k()),
                        found -> {});
            case GET_ALL -> readAll();
            case PUT -> put();
            case PUT_ALL -> putAll();
            case PUT_IF_ABSENT -> putIfAbsent();
            case GET_AND_PUT -> getAndPut();
            case REPLACE -> replace();
            case REPLACE_EXPECTED -> replaceExpected();
            case GET_AND_REPLACE -> getAndReplace();
            case REMOVE -> remove();
            case REMOVE_EXPECTED -> removeExpected();
            case GET_AND_REMOVE -> getAndRemove();
            case REMOVE_ALL_OF_KEYS -> removeAllOfKeys();
            case REMOVE_ALL -> removeAll();
            case CLEAR -> clear();
            case INVOKE_SET -> invokeSet();
            case INVOKE_REMOVE -> invokeRemove();
            case INVOKE_NOTHING -> read(readAction(), this::invokeNothing, this::countLookup);
            case INVOKE_ALL -> invokeAll();
            case ITERATE -> iterate(false);
            case ITERATE_AND_REMOVE -> iterate(true);
            case LOAD_ALL -> loadAll();
            case TRANSACT -> transact();
            case DESTROY -> destroy();
        }
        given.forEach(Values::takeBack);
    }

    private boolean isAsync() {
        return call.isAsync();
    }

    private <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        return keyslot.await(stage);
    }

    private Object k() {
        return keyOf(key);
    }

    private Object keyOf(String name) {
        return scenario.form().keyOf(name);
    }

    private Set<Object> keysOfCall() {
        return call.keys().stream().map(this::keyOf).collect(Collectors.toCollection(HashSet::new));
    }

    private Date v() {
        return give(value);
    }

    private Date give(long number) {
        Date gift = Values.of(number);
        given.put(gift, number);
        return gift;
    }

    private boolean isWritten() {
        return scenario.database().isWritten();
    }

    private Action readAction() {
        return switch (scenario.database()) {
            case READ_THROUGH -> Action.GET_OR_LOAD;
            case READ_AND_WRITE_THROUGH, WRITE_BEHIND -> Action.READ_THROUGH;
            default -> Action.GET;
        };
    }

    private @Nullable Long readArgument(String ofKey) {
        return readAction() == Action.GET_OR_LOAD ? ProgramRun.loadedFor(ofKey) : null;
    }

    // Reads

    private @Nullable Long get() {
        return Values.taken(isAsync() ? await(cache.getAsync(k())) : cache.get(k()));
    }

    private <T> void read(Action action, Supplier<@Nullable T> read, Consumer<@Nullable T> counting) {
        try {
            T found = read.get();
            answer = String.valueOf(found);
            counting.accept(found);
            seen(action, key, found);
        } catch (RuntimeException e) {
            answer = failure(e).toString();
            notSeen(action, key);
        }
    }

    private void countLookup(@Nullable Long found) {
        if (found != null && scenario.database().isRead()) {
            counted.lookup();
        } else {
            counted.lookup(found != null);
        }
    }

    /** With faults, a miss may be that of a partition that could not be asked, and a load in its place. */
    private void seen(Action action, String ofKey, @Nullable Object found) {
        Long loaded = action == Action.CONTAINS ? null : readArgument(ofKey);
        boolean isMiss = isWritten()
                ? found == null && scenario.reads() == MissingPartitionPolicy.MISS
                : found == null || found.equals(loaded);
        if (!(scenario.faults() && isMiss)) {
            recorder.add(caller, action, ofKey, loaded, null, Outcome.OK, found, start);
        } else if (found != null) {
            recorder.add(caller, action, ofKey, loaded, null, Outcome.UNKNOWN, null, start);
        }
    }

    /** A read that has failed may have stored what it had loaded. */
    private void notSeen(Action action, String ofKey) {
        Long loaded = action == Action.CONTAINS ? null : readArgument(ofKey);
        recorder.add(caller, action, ofKey, loaded, null, Outcome.UNKNOWN, null, start);
    }

    private void readAll() {
        try {
            Map<String, Long> found =
                    numbers(isAsync() ? await(cache.getAllAsync(keysOfCall())) : cache.getAll(keysOfCall()));
            answer = found.toString();
            call.keys().forEach(each -> {
                countLookup(found.get(each));
                seen(readAction(), each, found.get(each));
            });
        } catch (RuntimeException e) {
            answer = failure(e).toString();
            call.keys().forEach(each -> notSeen(readAction(), each));
        }
    }

    private static Map<String, Long> numbers(Map<Object, Date> found) {
        Map<String, Long> numbers = new HashMap<>();
        found.forEach((key, date) -> numbers.put(Form.nameOf(key), Values.taken(date)));
        return numbers;
    }

    // Changes of one key

    private <T> void change(
            Action action, @Nullable Long expected, Supplier<@Nullable T> change, Consumer<@Nullable T> counting) {
        try {
            T result = change.get();
            answer = String.valueOf(result);
            counting.accept(result);
            done(action, key, value, expected, result);
        } catch (RuntimeException e) {
            answer = failure(e).toString();
            recorder.add(caller, action, key, value, expected, outcome(e), null, start);
        }
    }

    /** A processor that has found nothing may have run without its partition: then it has put, or done nothing. */
    private void done(Action action, String ofKey, long argument, @Nullable Long expected, @Nullable Object result) {
        boolean isOfProcessor = action == Action.EXCHANGE || action == Action.TAKE;
        if (isOfProcessor && result == null && scenario.runsProcessorsWithoutPartition()) {
            if (action == Action.EXCHANGE) {
                recorder.add(caller, Action.PUT, ofKey, argument, null, Outcome.OK, null, start);
            }
        } else {
            recorder.add(caller, action, ofKey, argument, expected, Outcome.OK, result, start);
        }
        mayBeRepeated(action, ofKey, result);
    }

    private void put() {
        change(
                Action.PUT,
                null,
                () -> {
                    if (isAsync()) {
                        await(cache.putAsync(k(), v()));
                    } else {
                        cache.put(k(), v());
                    }
                    return null;
                },
                done -> counted.put());
    }

    /** See decision 3: a put may be seen twice, and what was created may be created again if it was removed meanwhile. */
    private void mayBeRepeated(Action done, String ofKey, @Nullable Object result) {
        boolean isCreation = switch (done) {
            case PUT -> true;
            case PUT_IF_ABSENT -> Boolean.TRUE.equals(result);
            case GET_AND_PUT, EXCHANGE -> result == null;
            default -> false;
        };
        if (isCreation && scenario.losesAnswers()) {
            Action again = done == Action.PUT && scenario.putsBlindly() ? Action.PUT : Action.PUT_IF_ABSENT;
            recorder.addRepetition(caller, again, ofKey, call.valueFor(ofKey), start);
        }
    }

    private void putIfAbsent() {
        change(
                Action.PUT_IF_ABSENT,
                null,
                () -> isAsync() ? await(cache.putIfAbsentAsync(k(), v())) : cache.putIfAbsent(k(), v()),
                done -> {
                    counted.lookup(!is(done));
                    countPut(is(done));
                });
    }

    private void getAndPut() {
        change(
                Action.GET_AND_PUT,
                null,
                () -> Values.taken(isAsync() ? await(cache.getAndPutAsync(k(), v())) : cache.getAndPut(k(), v())),
                before -> {
                    counted.lookup(before != null);
                    counted.put();
                });
    }

    private void replace() {
        change(
                Action.REPLACE,
                null,
                () -> isAsync() ? await(cache.replaceAsync(k(), v())) : cache.replace(k(), v()),
                done -> {
                    counted.lookup(is(done));
                    countPut(is(done));
                });
    }

    private void replaceExpected() {
        long expected = recorder.latest(key);
        change(
                Action.REPLACE_EXPECTED,
                expected,
                () -> isAsync()
                        ? await(cache.replaceAsync(k(), give(expected), v()))
                        : cache.replace(k(), give(expected), v()),
                done -> {
                    countComparison(is(done));
                    countPut(is(done));
                });
    }

    private void getAndReplace() {
        change(
                Action.GET_AND_REPLACE,
                null,
                () -> Values.taken(
                        isAsync() ? await(cache.getAndReplaceAsync(k(), v())) : cache.getAndReplace(k(), v())),
                before -> {
                    counted.lookup(before != null);
                    countPut(before != null);
                });
    }

    private void remove() {
        change(
                Action.REMOVE,
                null,
                () -> isAsync() ? await(cache.removeAsync(k())) : cache.remove(k()),
                done -> counted.removal(is(done)));
    }

    private void removeExpected() {
        long expected = recorder.latest(key);
        change(
                Action.REMOVE_EXPECTED,
                expected,
                () -> isAsync() ? await(cache.removeAsync(k(), give(expected))) : cache.remove(k(), give(expected)),
                done -> {
                    countComparison(is(done));
                    counted.removal(is(done));
                });
    }

    private void getAndRemove() {
        change(
                Action.GET_AND_REMOVE,
                null,
                () -> Values.taken(isAsync() ? await(cache.getAndRemoveAsync(k())) : cache.getAndRemove(k())),
                before -> {
                    counted.lookup(before != null);
                    counted.removal(before != null);
                });
    }

    private static boolean is(@Nullable Boolean answer) {
        return Boolean.TRUE.equals(answer);
    }

    private void countPut(boolean done) {
        if (done) {
            counted.put();
        }
    }

    /** A value that was there and another one than expected is a hit, too. */
    private void countComparison(boolean equal) {
        if (equal) {
            counted.lookup(true);
        } else {
            counted.lookup();
        }
    }

    // Processors

    private void invokeSet() {
        change(Action.EXCHANGE, null, () -> invoke(processor(entry -> entry.setValue(Values.of(value)))), before -> {
            counted.lookup(before != null);
            counted.put();
        });
    }

    private void invokeRemove() {
        change(
                Action.TAKE,
                null,
                () -> invoke(processor(entry -> {
                    if (entry.exists()) {
                        entry.remove();
                    }
                })),
                before -> {
                    counted.lookup(before != null);
                    counted.removal(before != null);
                });
    }

    /** What is loaded for it counts as a put. */
    private @Nullable Long invokeNothing() {
        if (scenario.database().isRead()) {
            counted.mayAdd(Counted.Statistic.CachePuts, 1);
        }
        return invoke((entry, arguments) -> {
            keyslot.yieldTurn();
            Long found = Values.taken(entry.getValue());
            keyslot.yieldTurn();
            return found == null ? NOTHING : found;
        });
    }

    private @Nullable Long invoke(EntryProcessor<Object, Date, Long> processor) {
        Long found = isAsync() ? await(cache.invokeAsync(k(), processor)) : cache.invoke(k(), processor);
        return found == null || found == NOTHING ? null : found;
    }

    private EntryProcessor<Object, Date, Long> processor(Consumer<MutableEntry<Object, Date>> change) {
        return (entry, arguments) -> {
            keyslot.yieldTurn();
            Long before = entry.exists() ? Values.taken(entry.getValue()) : null;
            keyslot.yieldTurn();
            change.accept(entry);
            return before == null ? NOTHING : before;
        };
    }

    private void invokeAll() {
        Map<Object, EntryProcessorResult<Long>> results;
        EntryProcessor<Object, Date, Long> exchange = (entry, arguments) -> {
            keyslot.yieldTurn();
            Long before = entry.exists() ? Values.taken(entry.getValue()) : null;
            entry.setValue(Values.of(call.valueFor(Form.nameOf(entry.getKey()))));
            return before == null ? NOTHING : before;
        };
        try {
            results = isAsync()
                    ? await(cache.invokeAllAsync(keysOfCall(), exchange))
                    : cache.invokeAll(keysOfCall(), exchange);
        } catch (RuntimeException e) {
            answer = failure(e).toString();
            results = Map.of();
        }
        for (String each : call.keys()) {
            exchanged(each, results.get(keyOf(each)));
        }
    }

    private void exchanged(String ofKey, @Nullable EntryProcessorResult<Long> result) {
        Outcome outcome = Outcome.UNKNOWN;
        Long before = null;
        if (result != null) {
            try {
                before = result.get();
                outcome = Outcome.OK;
            } catch (RuntimeException e) {
                outcome = outcome(e);
            }
        }
        answer += " " + ofKey + "=" + (outcome == Outcome.OK ? before : outcome);
        Long found = before == null || before == NOTHING ? null : before;
        if (outcome == Outcome.OK) {
            counted.lookup(found != null);
            counted.put();
        } else {
            counted.notKnown();
        }
        if (outcome == Outcome.OK) {
            done(Action.EXCHANGE, ofKey, call.valueFor(ofKey), null, found);
        } else {
            recorder.add(caller, Action.EXCHANGE, ofKey, call.valueFor(ofKey), null, outcome, null, start);
        }
    }

    // Changes of several keys

    private void putAll() {
        Map<Object, Date> values = new LinkedHashMap<>();
        call.keys().forEach(each -> values.put(keyOf(each), give(call.valueFor(each))));
        changeAll(Action.PUT, true, () -> {
            if (isAsync()) {
                await(cache.putAllAsync(values));
            } else {
                cache.putAll(values);
            }
            values.forEach((each, date) -> counted.put());
        });
        call.keys().forEach(each -> mayBeRepeated(Action.PUT, each, null));
    }

    private void removeAllOfKeys() {
        changeAll(Action.DELETE, false, () -> {
            if (isAsync()) {
                await(cache.removeAllAsync(keysOfCall()));
            } else {
                cache.removeAll(keysOfCall());
            }
            counted.mayAdd(Counted.Statistic.CacheRemovals, call.keys().size());
        });
    }

    private void removeAll() {
        changeEvery(isWritten() ? Action.DELETE_PRESENT : Action.DELETE, () -> {
            if (isAsync()) {
                await(cache.removeAllAsync());
            } else {
                cache.removeAll();
            }
            counted.mayAdd(Counted.Statistic.CacheRemovals, keys().size());
        });
    }

    private void clear() {
        changeEvery(isWritten() ? null : Action.DELETE, () -> {
            if (isAsync()) {
                await(cache.clearAsync());
            } else {
                cache.clear();
            }
        });
    }

    private void changeAll(Action action, boolean stores, Runnable change) {
        Throwable failure = failureOf(change);
        for (String each : call.keys()) {
            Long argument = stores ? call.valueFor(each) : null;
            recorder.add(caller, action, each, argument, null, outcomeOfKey(each, failure), null, start);
        }
    }

    /** Of a call about several keys that fails, those that it does not name are done. */
    private Outcome outcomeOfKey(String ofKey, @Nullable Throwable failure) {
        if (failure == null) {
            return Outcome.OK;
        }
        if (!(failure instanceof KeyslotException known) || known.failedKeys().isEmpty()) {
            return Outcome.UNKNOWN;
        }
        return known.failedKeys().contains(keyOf(ofKey)) ? outcome(known) : Outcome.OK;
    }

    private void changeEvery(@Nullable Action action, Runnable change) {
        // Some of it may have been done.
        Outcome outcome = failureOf(change) == null ? Outcome.OK : Outcome.UNKNOWN;
        if (action != null) {
            keys().forEach(each -> recorder.add(caller, action, each, null, null, outcome, null, start));
        }
    }

    private @Nullable Throwable failureOf(Runnable change) {
        try {
            change.run();
            answer = "done";
            return null;
        } catch (RuntimeException e) {
            Throwable why = failure(e);
            answer = why.toString();
            return why;
        }
    }

    private List<String> keys() {
        return ProgramRun.keysOf(scenario);
    }

    // Iterators

    private void iterate(boolean remove) {
        Map<String, Long> found = new LinkedHashMap<>();
        boolean complete = false;
        try {
            Iterator<Cache.Entry<Object, Date>> entries = cache.iterator();
            while (entries.hasNext()) {
                Cache.Entry<Object, Date> entry = entries.next();
                counted.lookup(true);
                String name = Form.nameOf(entry.getKey());
                found.put(name, Values.taken(entry.getValue()));
                if (remove && name.equals(key)) {
                    removeBy(entries);
                }
            }
            complete = !scenario.faults();
            answer = found.toString();
        } catch (RuntimeException e) {
            answer = found + " " + failure(e);
        }
        for (String each : keys()) {
            if (found.containsKey(each) || complete) {
                recorder.add(caller, Action.GET, each, null, null, Outcome.OK, found.get(each), start);
            }
        }
    }

    private void removeBy(Iterator<Cache.Entry<Object, Date>> entries) {
        long from = recorder.moment();
        counted.mayAdd(Counted.Statistic.CacheRemovals, 1);
        try {
            entries.remove();
        } finally {
            recorder.add(caller, Action.DELETE, key, null, null, Outcome.UNKNOWN, null, from);
        }
    }

    // Loads

    private void loadAll() {
        if (!scenario.database().isRead()) {
            read(readAction(), this::get, this::countLookup);
            return;
        }
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        cache.loadAll(keysOfCall(), value % 20 == 0, new CompletionListener() {
            @Override
            public void onCompletion() {
                over.complete(true);
            }

            @Override
            public void onException(Exception e) {
                over.complete(false);
            }
        });
        answer = String.valueOf(await(over));
        if (!isWritten()) {
            call.keys()
                    .forEach(each -> recorder.add(
                            caller, Action.PUT, each, ProgramRun.loadedFor(each), null, Outcome.UNKNOWN, null, start));
        }
    }

    // What is beyond one cache

    private void transact() {
        Map<String, @Nullable Long> before = new HashMap<>();
        Outcome outcome = Outcome.OK;
        try {
            process.manager().group(Form.ROOT).transactWithoutResult(transaction -> {
                GroupEntries<Object, Date> entries = transaction.entries(cache);
                for (String each : call.keys()) {
                    keyslot.yieldTurn();
                    before.put(each, Values.taken(entries.get(keyOf(each))));
                    entries.put(keyOf(each), give(call.valueFor(each)));
                }
            });
            answer = before.toString();
        } catch (RuntimeException e) {
            answer = failure(e).toString();
            outcome = outcome(e);
        }
        for (String each : call.keys()) {
            Long found = outcome == Outcome.OK ? before.get(each) : null;
            recorder.add(caller, Action.EXCHANGE, each, call.valueFor(each), null, outcome, found, start);
            if (outcome == Outcome.OK) {
                mayBeRepeated(Action.EXCHANGE, each, found);
            }
        }
    }

    private void destroy() {
        counted.notKnown(); // the new cache begins to count
        boolean done = process.reopen();
        answer = done ? "made again" : "not made again yet";
        if (!isWritten()) {
            Outcome outcome = done ? Outcome.OK : Outcome.UNKNOWN;
            keys().forEach(each -> recorder.add(caller, Action.DELETE, each, null, null, outcome, null, start));
        }
    }

    // Failures

    private Outcome outcome(RuntimeException thrown) {
        Throwable why = failure(thrown);
        return why instanceof PartitionUnavailableException
                        || why instanceof CacheOverloadedException
                        || why instanceof CallInterruptedException
                        || why instanceof CacheWriterException
                ? Outcome.FAILED
                : Outcome.UNKNOWN;
    }

    private Throwable failure(RuntimeException thrown) {
        counted.notKnown();
        Throwable why = thrown;
        while ((why instanceof CompletionException || why instanceof EntryProcessorException)
                && why.getCause() != null) {
            why = why.getCause();
        }
        boolean noReason = scenario.isHarmless() && why instanceof PartitionUnavailableException;
        // The loader fails for interrupted threads only, and no other thread hears of it.
        boolean isOfAnother = why instanceof CacheLoaderException
                || (why instanceof CallInterruptedException
                        && !isAsync()
                        && !Thread.currentThread().isInterrupted());
        if (noReason || isOfAnother || !(why instanceof CacheException) || !isWorded(why)) {
            throw new AssertionError("%s %s ended with %s".formatted(caller, call.kind(), why), thrown);
        }
        return why;
    }

    /** The type and the words of a failure say the same: that it is not known what was done, or that nothing was. */
    private static boolean isWorded(Throwable failure) {
        String words = String.valueOf(failure.getMessage());
        boolean isUnknown = words.contains("may or may not") || words.contains("has done its part");
        return isUnknown == (failure instanceof OutcomeUnknownException)
                && Arrays.stream(failure.getSuppressed()).allMatch(Attempt::isWorded);
    }
}
