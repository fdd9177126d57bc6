// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/** A loader whose every call waits until the test has answered it. Nothing here waits longer than a minute. */
final class GatedLoader implements CacheLoader<String, String> {
    private static final long SECONDS = 60;

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final CompletableFuture<Answer> end = new CompletableFuture<>();

    /** What the test answers. */
    @FunctionalInterface
    interface Answer {
        @Nullable
        String of(String key);
    }

    /** One call of the loader. */
    record Call(List<String> keys, CompletableFuture<Answer> answer) {
        void answer(@Nullable String value) {
            answer.complete(key -> value);
        }

        void fail(RuntimeException failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Returns the next call, waiting for it. */
    Call nextCall() {
        try {
            Call call = calls.poll(SECONDS, TimeUnit.SECONDS);
            assertThat(call).as("a call of the loader").isNotNull();
            return call;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    /** Returns whether there was no call that the test has not taken. */
    boolean isQuiet() {
        return calls.isEmpty();
    }

    @Override
    public @Nullable String load(String key) {
        return answered(List.of(key)).of(key);
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
        List<String> wanted = new ArrayList<>();
        keys.forEach(wanted::add);
        Answer answer = answered(wanted);
        Map<String, String> loaded = new HashMap<>();
        wanted.forEach(key -> {
            String value = answer.of(key);
            if (value != null) {
                loaded.put(key, value);
            }
        });
        return loaded;
    }

    /** Fails what was not answered, so that no thread of the cache is left behind. */
    void end() {
        end.completeExceptionally(new IllegalStateException("the test is over"));
    }

    private Answer answered(List<String> keys) {
        Call call = new Call(keys, new CompletableFuture<>());
        calls.add(call);
        try {
            return call.answer.applyToEither(end, answer -> answer).get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (TimeoutException e) {
            throw new AssertionError("the test did not answer", e);
        }
    }
}
