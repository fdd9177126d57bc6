// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** An expiry policy whose answers a test sets, and that keeps what it was asked for. */
final class SettableExpiry implements ExpiryPolicy {
    private final List<String> questions = new ArrayList<>();
    private Supplier<@Nullable Duration> creation = () -> Duration.ETERNAL;
    private Supplier<@Nullable Duration> access = () -> null;
    private Supplier<@Nullable Duration> update = () -> null;

    static Duration millis(long amount) {
        return new Duration(TimeUnit.MILLISECONDS, amount);
    }

    synchronized SettableExpiry onCreation(Supplier<@Nullable Duration> answer) {
        creation = answer;
        return this;
    }

    synchronized SettableExpiry onAccess(Supplier<@Nullable Duration> answer) {
        access = answer;
        return this;
    }

    synchronized SettableExpiry onUpdate(Supplier<@Nullable Duration> answer) {
        update = answer;
        return this;
    }

    /** Returns what was asked since the last call, in order. */
    synchronized List<String> takeQuestions() {
        List<String> taken = List.copyOf(questions);
        questions.clear();
        return taken;
    }

    @Override
    public synchronized @Nullable Duration getExpiryForCreation() {
        questions.add("creation");
        return creation.get();
    }

    @Override
    public synchronized @Nullable Duration getExpiryForAccess() {
        questions.add("access");
        return access.get();
    }

    @Override
    public synchronized @Nullable Duration getExpiryForUpdate() {
        questions.add("update");
        return update.get();
    }
}
