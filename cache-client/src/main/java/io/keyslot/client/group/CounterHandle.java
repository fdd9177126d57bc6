// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static io.keyslot.client.stored.AggregateOperation.COUNTER_ADD;
import static io.keyslot.client.stored.AggregateOperation.COUNTER_GET;
import static io.keyslot.client.stored.AggregateOperation.COUNTER_SET;

import io.keyslot.cache.RemoteCounter;
import io.keyslot.client.group.ElementCodecs.ElementCoder;
import io.keyslot.client.stored.Element;
import org.jspecify.annotations.Nullable;

/** The handle of a counter. Immutable. */
final class CounterHandle extends AggregateHandle<RemoteCounter> implements RemoteCounter {
    private final ElementCoder<Long> numbers;

    CounterHandle(Aggregate aggregate) {
        super(aggregate, CounterHandle::new);
        this.numbers = aggregate.coder(null, Long.class);
    }

    @Override
    public boolean exists() {
        return aggregate.element("exists", COUNTER_GET) != null;
    }

    @Override
    public long get() {
        return orZero(aggregate.element("get", COUNTER_GET));
    }

    @Override
    public void set(long value) {
        aggregate.element("set", COUNTER_SET, Element.of(value));
    }

    @Override
    public long getAndSet(long value) {
        return orZero(aggregate.element("getAndSet", COUNTER_SET, Element.of(value)));
    }

    @Override
    public long addAndGet(long delta) {
        return aggregate.number("addAndGet", COUNTER_ADD, Element.of(delta));
    }

    private long orZero(@Nullable Element stored) {
        return stored == null ? 0 : numbers.decode(stored);
    }
}
