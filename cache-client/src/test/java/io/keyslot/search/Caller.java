// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.history.Action;
import io.keyslot.history.Outcome;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CacheWriterException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** One thread of a program: makes its calls, and writes down what they did to each key. */
final class Caller implements Runnable {
    private static final long NOTHING = -1;

    private final String name;
    private final Program program;
    private final int number;
    private final EmbeddedKeyslot keyslot;
    private final PartitionedCache<String, Long> cache;
    private final Recorder recorder;
    private @Nullable Thread thread;

    Caller(
            String name,
            Program program,
            int number,
            EmbeddedKeyslot keyslot,
            PartitionedCache<String, Long> cache,
            Recorder recorder) {
        this.name = name;
        this.program = program;
        this.number = number;
        this.keyslot = keyslot;
        this.cache = cache;
        this.recorder = recorder;
    }

    void interrupt() {
        if (thread != null && thread.isAlive()) {
            thread.interrupt();
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        for (Call call : program.of(number)) {
            pause(call);
            if (call.isInterrupted()) {
                Thread.currentThread().interrupt();
            }
            Duration begin = keyslot.elapsed();
            long start = recorder.moment();
            recorder.note("%s begins %s %s".formatted(name, call.kind(), call.keys()));
            Attempt attempt = new Attempt(call, start);
            attempt.make();
            boolean interrupted = Thread.interrupted();
            recorder.note("%s ends %s: %s%s"
                    .formatted(name, call.kind(), attempt.answer, interrupted ? ", interrupted" : ""));
            requireInTime(call, keyslot.elapsed().minus(begin));
        }
    }

    /** Time passes only when all threads wait: who has no pause does not. */
    private void pause(Call call) {
        if (call.pauseMillis() > 0) {
            keyslot.advance(Duration.ofMillis(call.pauseMillis()));
        } else {
            keyslot.yieldTurn();
        }
    }

    private void requireInTime(Call call, Duration took) {
        if (took.compareTo(ProgramRun.LONGEST_CALL) > 0) {
            throw new AssertionError("%s %s took %s".formatted(name, call.kind(), took));
        }
    }

    /** One call. */
    private final class Attempt {
        private final Call call;
        private final long start;
        private final String key;
        private final long value;
        private String answer = "";

        Attempt(Call call, long start) {
            this.call = call;
            this.start = start;
            this.key = call.key();
            this.value = call.valueFor(key);
        }

        void make() {
            switch (call.kind()) {
                case GET -> read(readAction(), this::get);
                case CONTAINS_KEY ->
                    read(
                            Action.CONTAINS,
                            () -> call.isAsync() ? keyslot.await(cache.containsKeyAsync(key)) : cache.containsKey(key));
                case GET_ALL -> readAll();
                case PUT ->
                    change(Action.PUT, null, () -> {
                        if (call.isAsync()) {
                            keyslot.await(cache.putAsync(key, value));
                        } else {
                            cache.put(key, value);
                        }
                        return null;
                    });
                case PUT_ALL ->
                    changeAll(Action.PUT, true, () -> {
                        Map<String, Long> values = new LinkedHashMap<>();
                        call.keys().forEach(each -> values.put(each, call.valueFor(each)));
                        if (call.isAsync()) {
                            keyslot.await(cache.putAllAsync(values));
                        } else {
                            cache.putAll(values);
                        }
                    });
                case PUT_IF_ABSENT ->
                    change(
                            Action.PUT_IF_ABSENT,
                            null,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.putIfAbsentAsync(key, value))
                                    : cache.putIfAbsent(key, value));
                case GET_AND_PUT ->
                    change(
                            Action.GET_AND_PUT,
                            null,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.getAndPutAsync(key, value))
                                    : cache.getAndPut(key, value));
                case REPLACE ->
                    change(
                            Action.REPLACE,
                            null,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.replaceAsync(key, value))
                                    : cache.replace(key, value));
                case REPLACE_EXPECTED -> {
                    long expected = recorder.latest(key);
                    change(
                            Action.REPLACE_EXPECTED,
                            expected,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.replaceAsync(key, expected, value))
                                    : cache.replace(key, expected, value));
                }
                case GET_AND_REPLACE ->
                    change(
                            Action.GET_AND_REPLACE,
                            null,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.getAndReplaceAsync(key, value))
                                    : cache.getAndReplace(key, value));
                case REMOVE ->
                    change(
                            Action.REMOVE,
                            null,
                            () -> call.isAsync() ? keyslot.await(cache.removeAsync(key)) : cache.remove(key));
                case REMOVE_EXPECTED -> {
                    long expected = recorder.latest(key);
                    change(
                            Action.REMOVE_EXPECTED,
                            expected,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.removeAsync(key, expected))
                                    : cache.remove(key, expected));
                }
                case GET_AND_REMOVE ->
                    change(
                            Action.GET_AND_REMOVE,
                            null,
                            () -> call.isAsync()
                                    ? keyslot.await(cache.getAndRemoveAsync(key))
                                    : cache.getAndRemove(key));
                case REMOVE_ALL_OF_KEYS ->
                    changeAll(Action.DELETE, false, () -> {
                        Set<String> keys = new HashSet<>(call.keys());
                        if (call.isAsync()) {
                            keyslot.await(cache.removeAllAsync(keys));
                        } else {
                            cache.removeAll(keys);
                        }
                    });
                case REMOVE_ALL ->
                    changeEvery(isWritten() ? Action.DELETE_PRESENT : Action.DELETE, () -> {
                        if (call.isAsync()) {
                            keyslot.await(cache.removeAllAsync());
                        } else {
                            cache.removeAll();
                        }
                    });
                case CLEAR ->
                    changeEvery(isWritten() ? null : Action.DELETE, () -> {
                        if (call.isAsync()) {
                            keyslot.await(cache.clearAsync());
                        } else {
                            cache.clear();
                        }
                    });
                case INVOKE_SET ->
                    change(Action.EXCHANGE, null, () -> invoke(processor(entry -> entry.setValue(value))));
                case INVOKE_REMOVE ->
                    change(
                            Action.TAKE,
                            null,
                            () -> invoke(processor(entry -> {
                                if (entry.exists()) {
                                    entry.remove();
                                }
                            })));
                case INVOKE_NOTHING ->
                    read(
                            readAction(),
                            () -> invoke((entry, arguments) -> {
                                keyslot.yieldTurn();
                                Long found = entry.getValue();
                                keyslot.yieldTurn();
                                return found == null ? NOTHING : found;
                            }));
                case INVOKE_ALL -> invokeAll();
                case ITERATE -> iterate(false);
                case ITERATE_AND_REMOVE -> iterate(true);
                case LOAD_ALL -> loadAll();
            }
        }

        private @Nullable Long get() {
            return call.isAsync() ? keyslot.await(cache.getAsync(key)) : cache.get(key);
        }

        private @Nullable Long invoke(EntryProcessor<String, Long, Long> processor) {
            Long found =
                    call.isAsync() ? keyslot.await(cache.invokeAsync(key, processor)) : cache.invoke(key, processor);
            return found == null || found == NOTHING ? null : found;
        }

        private EntryProcessor<String, Long, Long> processor(
                java.util.function.Consumer<javax.cache.processor.MutableEntry<String, Long>> change) {
            return (entry, arguments) -> {
                keyslot.yieldTurn();
                long before = entry.exists() ? entry.getValue() : NOTHING;
                keyslot.yieldTurn();
                change.accept(entry);
                return before;
            };
        }

        private boolean isWritten() {
            return program.scenario().database().isWritten();
        }

        private Action readAction() {
            return switch (program.scenario().database()) {
                case READ_THROUGH -> Action.GET_OR_LOAD;
                case READ_AND_WRITE_THROUGH, WRITE_BEHIND -> Action.READ_THROUGH;
                default -> Action.GET;
            };
        }

        private @Nullable Long readArgument(String ofKey) {
            return readAction() == Action.GET_OR_LOAD ? ProgramRun.loadedFor(ofKey) : null;
        }

        private void read(Action action, Supplier<@Nullable Object> read) {
            try {
                Object found = read.get();
                answer = String.valueOf(found);
                seen(action, key, found);
            } catch (RuntimeException e) {
                answer = failure(e).toString();
                notSeen(action, key);
            }
        }

        /** With faults, a miss may be that of a partition that could not be asked, and a load in its place. */
        private void seen(Action action, String ofKey, @Nullable Object found) {
            Long loaded = action == Action.CONTAINS ? null : readArgument(ofKey);
            if (!program.scenario().faults() || !(found == null || found.equals(loaded))) {
                recorder.add(name, action, ofKey, loaded, null, Outcome.OK, found, start);
            } else if (found != null) {
                recorder.add(name, action, ofKey, loaded, null, Outcome.UNKNOWN, null, start);
            }
        }

        private void readAll() {
            try {
                Set<String> keys = new HashSet<>(call.keys());
                Map<String, Long> found = call.isAsync() ? keyslot.await(cache.getAllAsync(keys)) : cache.getAll(keys);
                answer = found.toString();
                call.keys().forEach(each -> seen(readAction(), each, found.get(each)));
            } catch (RuntimeException e) {
                answer = failure(e).toString();
                call.keys().forEach(each -> notSeen(readAction(), each));
            }
        }

        /** A read that has failed may have stored what it had loaded. */
        private void notSeen(Action action, String ofKey) {
            Long loaded = action == Action.CONTAINS ? null : readArgument(ofKey);
            recorder.add(name, action, ofKey, loaded, null, Outcome.UNKNOWN, null, start);
        }

        private void change(Action action, @Nullable Long expected, Supplier<@Nullable Object> change) {
            try {
                Object result = change.get();
                answer = String.valueOf(result);
                recorder.add(name, action, key, value, expected, Outcome.OK, result, start);
            } catch (RuntimeException e) {
                answer = failure(e).toString();
                recorder.add(name, action, key, value, expected, outcome(e), null, start);
            }
        }

        private Outcome outcome(RuntimeException thrown) {
            Throwable why = failure(thrown);
            return why instanceof PartitionUnavailableException
                            || why instanceof CacheOverloadedException
                            || why instanceof CacheWriterException
                    ? Outcome.FAILED
                    : Outcome.UNKNOWN;
        }

        private Throwable failure(RuntimeException thrown) {
            Throwable why = thrown;
            while ((why instanceof CompletionException || why instanceof EntryProcessorException)
                    && why.getCause() != null) {
                why = why.getCause();
            }
            Scenario scenario = program.scenario();
            boolean noReason =
                    scenario.resets() && !scenario.interrupts() && why instanceof PartitionUnavailableException;
            if (noReason || !(why instanceof CacheException)) {
                throw new AssertionError("%s %s ended with %s".formatted(name, call.kind(), why), thrown);
            }
            return why;
        }

        private void changeAll(Action action, boolean stores, Runnable change) {
            Outcome outcome = outcomeOf(change);
            call.keys()
                    .forEach(each -> recorder.add(
                            name, action, each, stores ? call.valueFor(each) : null, null, outcome, null, start));
        }

        private void changeEvery(@Nullable Action action, Runnable change) {
            Outcome outcome = outcomeOf(change);
            if (action != null) {
                keys().forEach(each -> recorder.add(name, action, each, null, null, outcome, null, start));
            }
        }

        private Outcome outcomeOf(Runnable change) {
            try {
                change.run();
                answer = "done";
                return Outcome.OK;
            } catch (RuntimeException e) {
                answer = failure(e).toString();
                return Outcome.UNKNOWN; // some of it may have been done
            }
        }

        private List<String> keys() {
            return ProgramRun.keysOf(program.scenario());
        }

        private void invokeAll() {
            Map<String, EntryProcessorResult<Long>> results;
            EntryProcessor<String, Long, Long> exchange = (entry, arguments) -> {
                keyslot.yieldTurn();
                long before = entry.exists() ? entry.getValue() : NOTHING;
                entry.setValue(call.valueFor(entry.getKey()));
                return before;
            };
            try {
                Set<String> keys = new HashSet<>(call.keys());
                results = call.isAsync()
                        ? keyslot.await(cache.invokeAllAsync(keys, exchange))
                        : cache.invokeAll(keys, exchange);
            } catch (RuntimeException e) {
                answer = failure(e).toString();
                results = Map.of();
            }
            for (String each : call.keys()) {
                exchanged(each, results.get(each));
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
            recorder.add(
                    name,
                    Action.EXCHANGE,
                    ofKey,
                    call.valueFor(ofKey),
                    null,
                    outcome,
                    before == null || before == NOTHING ? null : before,
                    start);
        }

        private void iterate(boolean remove) {
            Map<String, Long> found = new LinkedHashMap<>();
            boolean complete = false;
            try {
                var entries = cache.iterator();
                while (entries.hasNext()) {
                    Cache.Entry<String, Long> entry = entries.next();
                    found.put(entry.getKey(), entry.getValue());
                    if (remove && entry.getKey().equals(key)) {
                        removeBy(entries);
                    }
                }
                complete = !program.scenario().faults();
                answer = found.toString();
            } catch (RuntimeException e) {
                answer = found + " " + failure(e);
            }
            for (String each : keys()) {
                if (found.containsKey(each) || complete) {
                    recorder.add(name, Action.GET, each, null, null, Outcome.OK, found.get(each), start);
                }
            }
        }

        private void removeBy(java.util.Iterator<Cache.Entry<String, Long>> entries) {
            long from = recorder.moment();
            try {
                entries.remove();
            } finally {
                recorder.add(name, Action.DELETE, key, null, null, Outcome.UNKNOWN, null, from);
            }
        }

        private void loadAll() {
            if (!program.scenario().database().isRead()) {
                read(readAction(), this::get);
                return;
            }
            CompletableFuture<Boolean> over = new CompletableFuture<>();
            cache.loadAll(
                    new HashSet<>(call.keys()), value % 20 == 0, new javax.cache.integration.CompletionListener() {
                        @Override
                        public void onCompletion() {
                            over.complete(true);
                        }

                        @Override
                        public void onException(Exception e) {
                            over.complete(false);
                        }
                    });
            answer = String.valueOf(keyslot.await(over));
            if (!isWritten()) {
                call.keys()
                        .forEach(each -> recorder.add(
                                name,
                                Action.PUT,
                                each,
                                ProgramRun.loadedFor(each),
                                null,
                                Outcome.UNKNOWN,
                                null,
                                start));
            }
        }
    }
}
