// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntryLimits;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AssumedEntriesTest {
    private static final EncodedKey KEY = EncodedKey.of("texts:1");
    private static final long ANOTHERS = 17;

    private final StampSource stamps = new StampSource(new Random(1));
    private final RecentWrites writes = new RecentWrites();
    private final ValueCoder<String> coder =
            new ValueCoder<>("texts", new EntryFixture.TextCodec(), EntryLimits.defaults(), stamps);
    private final AssumedEntries<String> assumed = new AssumedEntries<>(writes, coder);

    private Envelope envelopeOf(String value) {
        return coder.encode(value, 0);
    }

    @Test
    void whatReplacedAnOwnEntry_isAssumed() {
        Envelope envelope = envelopeOf("v");
        assumed.stored(KEY, stamps.next(), envelope);

        Answer<String> answer = assumed.of(KEY);

        assertThat(answer).isNotNull();
        assertThat(answer.value()).isEqualTo("v");
        assertThat(answer.stamp()).isEqualTo(envelope.stamp());
    }

    @Test
    void whatReplacedNothing_orSomebodyElsesEntry_isNot() {
        assumed.stored(KEY, Command.ABSENT, envelopeOf("v"));
        assertThat(assumed.of(KEY)).isNull();
        assumed.stored(KEY, ANOTHERS, envelopeOf("v"));
        assertThat(assumed.of(KEY)).isNull();
    }

    @Test
    void whatGoesStale_isNot() {
        assumed.stored(KEY, stamps.next(), coder.encode("v", 1_000));
        assertThat(assumed.of(KEY)).isNull();
    }

    @Test
    void anyChangeOfThisProcess_endsIt() {
        assumed.stored(KEY, stamps.next(), envelopeOf("v"));
        writes.stored(KEY, Expiry.NEVER);
        assertThat(assumed.of(KEY)).isNull();
        assumed.stored(KEY, stamps.next(), envelopeOf("v"));
        writes.removed(KEY);
        assertThat(assumed.of(KEY)).isNull();
        assumed.stored(KEY, stamps.next(), envelopeOf("v"));
        assumed.forget(KEY);
        assertThat(assumed.of(KEY)).isNull();
    }

    @Test
    void changeOfAnotherEntry_endsNothing() {
        assumed.stored(KEY, stamps.next(), envelopeOf("v"));
        for (int i = 2; i < 100; i++) {
            writes.removed(EncodedKey.of("texts:" + i));
        }
        assertThat(assumed.of(KEY)).isNotNull();
    }

    @Test
    void whatCannotBeRead_isNot() {
        assumed.stored(KEY, stamps.next(), envelopeOf("!v"));
        assertThat(assumed.of(KEY)).isNull();
    }

    @Test
    void smallValuesAreKept_andNoMoreThanTheTableHolds() {
        int most = RecentWrites.MOST_BYTES - Envelope.HEADER_BYTES - KEY.length();
        assumed.stored(KEY, stamps.next(), envelopeOf("v".repeat(most + 1)));
        assertThat(assumed.of(KEY)).isNull();
        assumed.stored(KEY, stamps.next(), envelopeOf("v".repeat(most)));
        assertThat(assumed.of(KEY)).isNotNull();

        int known = 0;
        for (int i = 0; i < 3 * RecentWrites.PLACES; i++) {
            assumed.stored(EncodedKey.of("texts:" + i), stamps.next(), envelopeOf("v"));
        }
        for (int i = 0; i < 3 * RecentWrites.PLACES; i++) {
            known += assumed.of(EncodedKey.of("texts:" + i)) == null ? 0 : 1;
        }
        assertThat(known).isBetween(RecentWrites.PLACES / 2, RecentWrites.PLACES);
    }
}
