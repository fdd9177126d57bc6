// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissCause;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Why the last read of an entry missed, as a cache explains it. */
class MissCauseTest {
    private static final Duration SHORT = Duration.ofMillis(30);

    @AutoClose
    private final Embedded embedded = new Embedded();

    private final PartitionedCache<String, String> cache = embedded.cache("customer");
    private final String key = Embedded.keysOf(cache, "p1", 1).get(0);

    private static PartitionedConfiguration<String, String> loading(MapLoader<String, String> loader) {
        PartitionedConfiguration<String, String> configuration =
                Embedded.configuration().setReadThrough(true);
        configuration.setCacheLoaderFactory(() -> loader);
        return configuration;
    }

    private MissCause causeOfAMiss() {
        assertThat(cache.get(key)).isNull();
        assertThat(cache.explain(key).lastMissAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        MissCause cause = cache.explain(key).lastMiss();
        assertThat(cause).isNotNull();
        return cause;
    }

    @Test
    void entryThatIsUnknown_wasNeverLoaded() {
        assertThat(causeOfAMiss()).isEqualTo(MissCause.NEVER_LOADED);
        assertThat(causeOfAMiss()).isEqualTo(MissCause.NEVER_LOADED);
    }

    @Test
    void entryWhoseTimeIsOver_hasExpired() {
        cache.put(key, "v", SHORT);
        await("expiry of the entry").until(() -> !cache.containsKey(key));
        assertThat(causeOfAMiss()).isEqualTo(MissCause.EXPIRED);
    }

    @Test
    void entryThatThisProcessRemoved_wasRemoved() {
        cache.put(key, "v");
        cache.remove(key);
        assertThat(causeOfAMiss()).isEqualTo(MissCause.REMOVED);
        cache.put(key, "v");
        cache.removeAll(Set.of(key));
        assertThat(causeOfAMiss()).isEqualTo(MissCause.REMOVED);
        cache.put(key, "v");
        cache.clear();
        assertThat(causeOfAMiss()).isEqualTo(MissCause.REMOVED);
    }

    @Test
    void entryThatIsGone_wasEvictedOrRemovedElsewhere() {
        cache.put(key, "v");
        send(new Command.GetAndRemove(encoded()));
        assertThat(causeOfAMiss()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
    }

    @Test
    void entryThatWasStoredAgain_isExplainedByItsLastChange() {
        cache.put(key, "v");
        cache.remove(key);
        cache.put(key, "v");
        cache.put(key, "v");
        send(new Command.GetAndRemove(encoded()));
        assertThat(causeOfAMiss()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        cache.put(key, "v");
        assertThat(cache.get(key)).isEqualTo("v");
        cache.put(key, "v", SHORT);
        await("expiry of the entry").until(() -> !cache.containsKey(key));
        assertThat(causeOfAMiss()).isEqualTo(MissCause.EXPIRED);
    }

    @Test
    void rememberedAbsence_hasNoValue() {
        LoadingOptions remembering = LoadingOptions.defaults().withNegativeTimeToLive(Duration.ofHours(1));
        PartitionedCache<String, String> loading = embedded.cache(
                "loading", loading(MapLoader.answering(each -> null)).setLoading(remembering));
        loading.get("k");
        assertThat(loading.explain("k").lastMiss()).isEqualTo(MissCause.NEVER_LOADED);
        loading.get("k");
        assertThat(loading.explain("k").lastMiss()).isEqualTo(MissCause.NO_VALUE);
    }

    @Test
    void missingPartition_isTheCause() {
        embedded.partition("p1").kill();
        assertThat(causeOfAMiss()).isEqualTo(MissCause.PARTITION_MISSING);
    }

    @Test
    void bytesThatAreNoValue_cannotBeDecoded() {
        PartitionedCache<String, Integer> numbers = embedded.manager.createCache(
                "numbers", new PartitionedConfiguration<String, Integer>().setTypes(String.class, Integer.class));
        String number = "k";
        EncodedKey stored = EncodedKey.of("numbers:" + number);
        String owner = numbers.explain(number).partition().name();
        send(owner, new Command.Put(stored, Envelope.of(1, new byte[] {-1}), Expiry.NEVER, Expiry.NEVER));
        assertThat(numbers.get(number)).isNull();
        assertThat(numbers.explain(number).lastMiss()).isEqualTo(MissCause.UNDECODABLE);
    }

    @Test
    void entryOfAnEarlierIncarnation_isOfAnotherEpoch() {
        cache.put(key, "v");
        embedded.partition("p1").restartWithData();
        embedded.awaitHealthy("p1");
        assertThat(causeOfAMiss()).isEqualTo(MissCause.OTHER_EPOCH);
    }

    private EncodedKey encoded() {
        return EncodedKey.of("customer:" + key);
    }

    private void send(Command<?> command) {
        send("p1", command);
    }

    private void send(String partition, Command<?> command) {
        try (PartitionConnector connector = embedded.partition(partition).connector()) {
            assertThat(connector
                            .connect()
                            .join()
                            .send(command, Route.plain(1), Patience.UNLIMITED)
                            .join())
                    .isInstanceOf(Reply.Done.class);
        }
    }
}
