// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The form of rows of an entity type without a cache, which expire only on request. */
record PlainRows<V>(Class<V> valueType, ValueCoder<V> coder) implements ValueForm<V> {
    @Override
    public Envelope encode(V value, long stamp, Expiry expiry, @Nullable Envelope before) {
        return coder.encode(value, 0, stamp);
    }

    @Override
    public Optional<V> decode(Envelope envelope) {
        return coder.decode(envelope);
    }

    @Override
    public Optional<Expiry> onCreation() {
        return Optional.of(Expiry.NEVER);
    }

    @Override
    public Optional<Expiry> onUpdate() {
        return Optional.of(Expiry.NEVER);
    }

    @Override
    public Expiry lasting(Duration timeToLive) {
        return Expiry.after(timeToLive);
    }

    @Override
    public Expiry kept(Expiry expiry) {
        return expiry;
    }

    @Override
    public boolean mayBeBlind() {
        return true;
    }

    @Override
    public void requireWritable() {}
}
