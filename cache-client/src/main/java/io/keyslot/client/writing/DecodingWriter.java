// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.history.Outcome;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.CacheException;

/** Passes queued changes to the application's writer, decoded. */
public final class DecodingWriter<K, V> implements BatchWriter<EncodedKey, Envelope> {
    private final WriteThrough<K, V> writer;
    private final KeyCodec<K> keys;
    private final ValueCoder<V> coder;
    private final Consumer<Map<EncodedKey, Optional<Envelope>>> keeping;
    private final Consumer<List<EncodedKey>> forgetting;

    /** Creates a writer; {@code keeping} removes entries that differ from what was written. */
    public DecodingWriter(
            WriteThrough<K, V> writer,
            KeyCodec<K> keys,
            ValueCoder<V> coder,
            Consumer<Map<EncodedKey, Optional<Envelope>>> keeping,
            Consumer<List<EncodedKey>> forgetting) {
        this.writer = writer;
        this.keys = keys;
        this.coder = coder;
        this.keeping = keeping;
        this.forgetting = forgetting;
    }

    @Override
    public Outcome<EncodedKey> writeAll(Map<EncodedKey, Envelope> values) {
        Map<K, V> decoded = new LinkedHashMap<>();
        values.forEach((key, envelope) -> decoded.put(keys.decode(key), valueOf(envelope)));
        return outcome(values.keySet(), writer.writeAll(decoded));
    }

    private V valueOf(Envelope envelope) {
        return coder.decode(envelope)
                .orElseThrow(() -> new CacheException("The codec cannot read a value that it wrote itself"));
    }

    @Override
    public Outcome<EncodedKey> deleteAll(Set<EncodedKey> wanted) {
        Set<K> decoded = new LinkedHashSet<>();
        wanted.forEach(key -> decoded.add(keys.decode(key)));
        return outcome(wanted, writer.deleteAll(decoded));
    }

    @Override
    public void written(Map<EncodedKey, Optional<Envelope>> changes) {
        keeping.accept(changes);
    }

    @Override
    public void outdated(Set<EncodedKey> outdated) {
        forgetting.accept(List.copyOf(outdated));
    }

    private Outcome<EncodedKey> outcome(Set<EncodedKey> all, WriteThrough.Written<K> written) {
        Set<EncodedKey> failed = new LinkedHashSet<>(all);
        written.done().forEach(key -> failed.remove(keys.encode(key)));
        return new Outcome<>(failed, written.failure());
    }
}
