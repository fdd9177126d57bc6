// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffects;
import io.keyslot.client.stored.WriteEffectsContract;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The effects of writes in this process. */
class EmbeddedWriteEffectsTest extends WriteEffectsContract {
    private final Map<String, String> notes = new HashMap<>();
    private final StoredEntries entries = new StoredEntries(1 << 30, Ticker.systemTicker());
    private final EmbeddedPartition.Incarnation incarnation =
            new EmbeddedPartition.Incarnation(1, entries, new EmbeddedRegister());
    private final EmbeddedOperations operations = new EmbeddedOperations(
            incarnation,
            () -> true,
            new EmbeddedPushes(new PushListeners(), entries, incarnation.subscribers()),
            Map.of(NOTED.name(), new Notes()),
            1,
            "here");

    @Override
    protected <R> Reply<R> send(Command<R> command) {
        return operations.execute(command);
    }

    @Override
    protected @Nullable String noteOf(EncodedKey key) {
        return notes.get(key.text());
    }

    private final class Notes implements EmbeddedEffects.Kind {
        @Override
        public void stored(WriteEffects.WriteEffect effect, EncodedKey key, EmbeddedEntry entry) {
            notes.put(new String(effect.argument(key), UTF_8), "stored");
        }

        @Override
        public void removed(WriteEffects.WriteEffect effect, EncodedKey key) {
            notes.replace(new String(effect.argument(key), UTF_8), "removed");
        }
    }
}
