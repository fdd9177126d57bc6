// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.stored.Expiry;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The expiry of entries by the cache's expiry policy. An empty result means that the entry expires at once.
 *
 * <p>JSR-107 requires that a policy is called exactly when an entry is created, updated or accessed, so an operation
 * must know which of these it does. This does not matter for the standard policies, which always return the same.
 */
record ExpiryRules(
        Supplier<Optional<Expiry>> creation,
        Supplier<Optional<Expiry>> update,
        Supplier<Optional<Expiry>> access,
        boolean isConstant) {
    private static final Set<Class<? extends ExpiryPolicy>> CONSTANT = Set.of(
            EternalExpiryPolicy.class,
            CreatedExpiryPolicy.class,
            ModifiedExpiryPolicy.class,
            AccessedExpiryPolicy.class,
            TouchedExpiryPolicy.class);

    static ExpiryRules of(ExpiryPolicy policy) {
        // A policy that fails, or returns null for a new entry, gets the default of JSR-107: eternal.
        Supplier<Optional<Expiry>> creation = () -> ask(policy::getExpiryForCreation, Expiry.NEVER);
        Supplier<Optional<Expiry>> update = () -> ask(policy::getExpiryForUpdate, Expiry.UNCHANGED);
        Supplier<Optional<Expiry>> access = () -> ask(policy::getExpiryForAccess, Expiry.UNCHANGED);
        if (!CONSTANT.contains(policy.getClass())) {
            return new ExpiryRules(creation, update, access, false);
        }
        Optional<Expiry> created = creation.get();
        Optional<Expiry> updated = update.get();
        Optional<Expiry> accessed = access.get();
        boolean livesAtAll = created.isPresent() && updated.isPresent() && accessed.isPresent();
        return new ExpiryRules(() -> created, () -> updated, () -> accessed, livesAtAll);
    }

    /** Returns these rules with a fixed time to live for writes, or these rules if it is null. */
    ExpiryRules withTimeToLive(java.time.@Nullable Duration timeToLive) {
        if (timeToLive == null) {
            return this;
        }
        Optional<Expiry> fixed = Optional.of(Expiry.after(timeToLive));
        return new ExpiryRules(() -> fixed, () -> fixed, access, isConstant);
    }

    /**
     * Returns the rules of puts, which replace an entry without regard to it. In a cache whose entries do not expire, they
     * store one that does not expire either, even if that of the replaced entry was set for it alone; other updates keep it.
     */
    ExpiryRules ofPuts() {
        boolean isEternal = isConstant
                && creation.get().filter(Expiry::isNever).isPresent()
                && update.get().filter(Expiry::isUnchanged).isPresent();
        return isEternal ? new ExpiryRules(creation, creation, access, true) : this;
    }

    private static Optional<Expiry> ask(Supplier<@Nullable Duration> policy, Expiry otherwise) {
        Duration duration;
        try {
            duration = policy.get();
        } catch (RuntimeException e) {
            return Optional.of(otherwise);
        }
        return duration == null ? Optional.of(otherwise) : lasting(duration);
    }

    private static Optional<Expiry> lasting(Duration duration) {
        if (duration.isEternal()) {
            return Optional.of(Expiry.NEVER);
        }
        return duration.isZero() ? Optional.empty() : Optional.of(Expiry.afterMillis(millisRoundedUp(duration)));
    }

    private static long millisRoundedUp(Duration duration) {
        TimeUnit unit = duration.getTimeUnit();
        long millis = unit.toMillis(duration.getDurationAmount());
        boolean exact = unit.convert(millis, TimeUnit.MILLISECONDS) == duration.getDurationAmount();
        return exact || millis == Long.MAX_VALUE ? Math.max(1, millis) : millis + 1;
    }

    /** Returns whether an access may change the expiry of an entry. */
    boolean mayTouch() {
        return !isConstant || !access.get().orElse(Expiry.UNCHANGED).isUnchanged();
    }

    Optional<Expiry> onCreation() {
        return creation.get();
    }

    Optional<Expiry> onUpdate() {
        return update.get();
    }

    Optional<Expiry> onChange(boolean isUpdate) {
        return isUpdate ? onUpdate() : onCreation();
    }

    Optional<Expiry> onAccess() {
        return access.get();
    }
}
