// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.keyslot.client.partition.redis.command.EntryReader.FoundEntries;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FoundEntriesTest {
    private static final int EPOCH = 7;
    private static final EncodedKey ONE = EncodedKey.of("customer:1");
    private static final EncodedKey TWO = EncodedKey.of("customer:2");

    private final List<EncodedKey> read = new ArrayList<>();

    private Lookup read(EncodedKey key, byte @Nullable [] stored) {
        read.add(key);
        return stored == null ? Lookup.absent() : Envelope.read(key, EPOCH, stored, false);
    }

    private FoundEntries found(byte[]... values) {
        return new FoundEntries(this::read, List.of(ONE, TWO), Arrays.asList(values));
    }

    private static byte[] stored(EncodedKey key, long stamp) {
        return Envelope.of(stamp, new byte[] {1}).toBytes(key, EPOCH);
    }

    @Test
    void entries_areReadWhenTheyAreAskedFor() {
        FoundEntries found = found(stored(ONE, 11), stored(TWO, 12));
        assertThat(found).hasSize(2);
        assertThat(read).isEmpty();

        assertThat(found.get(1).stamp()).isEqualTo(12);
        assertThat(read).containsExactly(TWO);
    }

    @Test
    void valueThatIsNotThere_isAbsent() {
        FoundEntries found = new FoundEntries(this::read, List.of(ONE, TWO), nothingAndOne());

        assertThat(found.get(0)).isEqualTo(Lookup.absent());
    }

    /** As Lettuce gives it: its types do not say that there are nulls. */
    @SuppressWarnings("NullAway")
    private static List<byte[]> nothingAndOne() {
        return Arrays.asList(null, stored(TWO, 12));
    }

    @Test
    void valueOfAnotherKey_isNoEntry() {
        assertThat(found(stored(TWO, 11), stored(TWO, 12)).get(0).outcome()).isEqualTo(Lookup.Outcome.OTHER_KEY);
    }

    @Test
    void anotherNumberOfValues_isNoAnswer() {
        assertThatIllegalStateException()
                .isThrownBy(() -> found(stored(ONE, 11)))
                .withMessage("1 values for 2 keys");
    }
}
