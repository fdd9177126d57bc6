// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.cache.ScoredElement;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.processor.MutableEntry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Encrypted caches, and an attacker who can read and write everything at the partitions, with headers as they have to be, but
 * does not have the key.
 */
@SuppressWarnings("NullAway.Init") // the managers are opened before each test
public abstract class EncryptionContract {
    protected static final String KEY = secret(1);
    private static final String NEXT_KEY = secret(2);
    private static final String SECRET = "a secret value of a customer";
    private static final int CHECKSUM = 4;
    private static final int HEADER = CHECKSUM + 5;
    private static final int NONCE = 12;

    private final Supplier<Properties> engine;

    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private KeyslotCacheManager manager;
    private Cache<String, String> cache;

    protected EncryptionContract(Supplier<Properties> engine) {
        this.engine = engine;
    }

    private static String secret(int seed) {
        byte[] bytes = new byte[32];
        new Random(seed).nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private KeyslotCacheManager open(String... settings) {
        if (manager != null) {
            manager.close();
        }
        Properties properties = engine.get();
        properties.put("keyslot.meterRegistry", registry);
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty("keyslot.caches." + settings[i], settings[i + 1]);
        }
        return (KeyslotCacheManager) provider.getCacheManager(null, null, properties);
    }

    @BeforeEach
    void openEncrypted() {
        manager = open("text.encryption.key", KEY, "other.encryption.key", KEY);
        cache = manager.createCache("text", readThrough());
        cache.clear();
    }

    /** Returns the configuration of a cache whose loader tells that it was called. */
    private static PartitionedConfiguration<String, String> readThrough() {
        return new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.answering(key -> "loaded"));
    }

    private <R> R ask(String key, Command<R> command) {
        Reply<R> reply = manager.client()
                .router()
                .send(
                        EncodedKey.of(key),
                        command,
                        Patience.until(Deadline.after(manager.client().timing().ticker(), Duration.ofSeconds(5))))
                .join();
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<R>) reply).value();
    }

    private byte[] payloadOf(String key) {
        Lookup found = ask(key, new Command.Get(EncodedKey.of(key)));
        return bytes(Objects.requireNonNull(found.envelope()));
    }

    private static byte[] bytes(Envelope envelope) {
        byte[] payload = new byte[envelope.payload().remaining()];
        envelope.payload().get(payload);
        return payload;
    }

    /** Stores a payload as Keyslot would, with the right epoch and checksum. */
    private void store(String key, byte[] payload) {
        ask(
                key,
                new Command.Put(
                        EncodedKey.of(key),
                        Envelope.of(manager.client().stamps().next(), payload),
                        Expiry.NEVER,
                        Expiry.NEVER));
    }

    private double unreadable(String reason) {
        return registry.find("keyslot.entries.unreadable").tag("reason", reason).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private void isAMiss(String key, String reason) {
        double before = unreadable(reason);
        assertThat(cache.get(key)).isEqualTo("loaded");
        assertThat(unreadable(reason)).isEqualTo(before + 1);
        assertThat(cache.get(key)).isEqualTo("loaded");
    }

    /** Stores what becomes of an encrypted value, with a checksum that is right. */
    private void forged(UnaryOperator<byte[]> forging, String reason) {
        cache.put("k", SECRET);
        byte[] forged = forging.apply(payloadOf("text:k"));
        if (forged.length > CHECKSUM) {
            int checksum = VerifiedCodec.checksum(forged, CHECKSUM, forged.length - CHECKSUM);
            ByteBuffer.wrap(forged).putInt(0, ~checksum);
        }
        store("text:k", forged);

        isAMiss("k", reason);
    }

    @Test
    void value_isReadByItsCacheOnly_andNotVisible() {
        cache.put("k", SECRET);

        assertThat(cache.get("k")).isEqualTo(SECRET);
        byte[] first = payloadOf("text:k");
        assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
        cache.put("k", SECRET);
        assertThat(payloadOf("text:k")).isNotEqualTo(first);
    }

    @Test
    void conditionalChanges_compareValues_notTheirBytes() {
        cache.put("k", "a");

        assertThat(cache.replace("k", "b", "c")).isFalse();
        assertThat(cache.replace("k", "a", "b")).isTrue();
        assertThat(cache.remove("k", "a")).isFalse();
        assertThat(cache.<String>invoke("k", EncryptionContract::appendOne)).isEqualTo("b1");
        assertThat(cache.<String>invoke("k", EncryptionContract::appendOne)).isEqualTo("b11");
        assertThat(cache.remove("k", "b11")).isTrue();
        assertThat(cache.putIfAbsent("k", "d")).isTrue();
        assertThat(cache.putIfAbsent("k", "e")).isFalse();
        assertThat(cache.getAndReplace("k", "f")).isEqualTo("d");
    }

    private static String appendOne(MutableEntry<String, String> entry, Object... unused) {
        entry.setValue(entry.getValue() + "1");
        return entry.getValue();
    }

    @Test
    void valueOfAnotherKey_isAMiss() {
        cache.put("rich", "1000000");
        cache.put("poor", "1");
        byte[] poor = payloadOf("text:poor");
        store("text:poor", payloadOf("text:rich"));
        store("text:rich", poor);

        isAMiss("poor", "not_authentic");
        isAMiss("rich", "not_authentic");
    }

    @Test
    void valueOfAnotherCacheWithTheSameKey_isAMiss() {
        Cache<String, String> other = manager.createCache("other", readThrough());
        other.put("k", SECRET);
        store("text:k", payloadOf("other:k"));

        isAMiss("k", "not_authentic");
    }

    /** What encryption does not prevent: the document says so. */
    @Test
    void formerValueOfTheSameKey_isRead() {
        cache.put("k", "old");
        byte[] old = payloadOf("text:k");
        cache.put("k", "new");
        store("text:k", old);

        assertThat(cache.get("k")).isEqualTo("old");
    }

    @Test
    void plainValue_isAMiss() {
        Cache<String, String> plain = manager.createCache("plain", readThrough());
        plain.put("k", SECRET);
        store("text:k", payloadOf("plain:k"));

        isAMiss("k", "not_encrypted");
    }

    @Test
    void plainValueThatLooksLikeAnEncryptedOne_isAMiss() {
        forged(
                encrypted -> {
                    byte[] plain = SECRET.repeat(2).getBytes(StandardCharsets.UTF_8);
                    System.arraycopy(encrypted, 0, plain, 0, HEADER + NONCE);
                    return plain;
                },
                "not_authentic");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 9, 20, 21, 36})
    void truncatedHeaderOrTag_isAMiss(int length) {
        forged(encrypted -> Arrays.copyOf(encrypted, length), "not_encrypted");
    }

    @Test
    void truncatedOrExtendedValue_isAMiss() {
        forged(encrypted -> Arrays.copyOf(encrypted, encrypted.length - 1), "not_authentic");
        forged(encrypted -> Arrays.copyOf(encrypted, encrypted.length + 1), "not_authentic");
        forged(encrypted -> Arrays.copyOf(encrypted, HEADER + NONCE + 16), "not_authentic");
    }

    @Test
    void anyChangedBit_isAMiss() {
        cache.put("k", SECRET);
        int length = payloadOf("text:k").length;
        for (int bit = CHECKSUM * Byte.SIZE; bit < length * Byte.SIZE; bit++) {
            int at = bit;
            String reason = at < (CHECKSUM + 1) * Byte.SIZE
                    ? "not_encrypted"
                    : at < HEADER * Byte.SIZE ? "unknown_key" : "not_authentic";
            forged(
                    encrypted -> {
                        byte[] flipped = encrypted.clone();
                        flipped[at / Byte.SIZE] ^= (byte) (1 << (at % Byte.SIZE));
                        return flipped;
                    },
                    reason);
        }
    }

    @Test
    void damagedValue_isAMiss() {
        cache.put("k", SECRET);
        byte[] damaged = payloadOf("text:k");
        damaged[0]++;
        store("text:k", damaged);

        isAMiss("k", "not_authentic");
    }

    @Test
    void unreadableValue_isAbsentForEveryDecision() {
        cache.put("k", SECRET);
        byte[] forged = payloadOf("text:k");
        forged[forged.length - 1]++;

        store("text:k", forged);
        assertThat(cache.containsKey("k")).isFalse();
        store("text:k", forged);
        assertThat(cache.replace("k", "new")).isFalse();
        store("text:k", forged);
        assertThat(cache.putIfAbsent("k", "new")).isTrue();
        store("text:k", forged);
        assertThat(cache.getAndPut("k", "newer")).isNull();
        assertThat(cache.get("k")).isEqualTo("newer");
    }

    @Test
    void keys_areRotatedWithoutAFlush() {
        cache.put("a", SECRET);

        // First, every process can read what the new key encrypts.
        manager = open("text.encryption.key", KEY, "text.encryption.previous", NEXT_KEY);
        cache = manager.createCache("text", readThrough());
        put("a", SECRET);
        manager = open("text.encryption.key", NEXT_KEY, "text.encryption.previous", KEY);
        cache = manager.createCache("text", readThrough());
        assertThat(cache.get("a")).isEqualTo(stays() ? SECRET : "loaded");
        put("b", SECRET);
        byte[] ofNewKey = payloadOf("text:b");
        manager = open("text.encryption.key", KEY, "text.encryption.previous", NEXT_KEY);
        cache = manager.createCache("text", readThrough());
        store("text:b", ofNewKey);
        assertThat(cache.get("b")).isEqualTo(SECRET);

        // Without the key that has encrypted it, it is a miss.
        manager = open("text.encryption.key", KEY);
        cache = manager.createCache("text", readThrough());
        store("text:b", ofNewKey);
        isAMiss("b", "unknown_key");
    }

    private void put(String key, String value) {
        cache.put(key, value);
    }

    /** Returns whether entries outlive the manager. */
    protected abstract boolean stays();

    @Test
    void nearCopies_areDecrypted_andForgedOnesAreMisses() {
        Cache<String, String> near = manager.createCache("other", readThrough().setNear(NearOptions.ofEntries(100)));
        near.put("k", SECRET);

        assertThat(near.get("k")).isEqualTo(SECRET);
        assertThat(near.get("k")).isEqualTo(SECRET);
        store("other:forged", payloadOf("other:k"));
        assertThat(near.get("forged")).isEqualTo("loaded");
    }

    @Test
    void aggregatesAndRows_ofGroupsOfTheEntityType_areEncryptedToo() {
        CacheGroup group = manager.group(EntityKey.of("text", "99"));
        RemoteHash<String, Long> hash = group.hash("cart", String.class, Long.class);
        RemoteList<String> list = group.list("history", String.class);
        RemoteSet<String> set = group.set("orders", String.class);
        RemoteSortedSet<String> sorted = group.sortedSet("ratings", String.class);
        hash.putAll(Map.of("apples", 5L, "pears", 5L));
        list.addAll(List.of("login", "logout", "login"));
        sorted.add("apples", 2);
        sorted.add("pears", 1);

        assertThat(hash.toMap()).isEqualTo(Map.of("apples", 5L, "pears", 5L));
        assertThat(hash.putIfAbsent("apples", 6L)).isFalse();
        assertThat(hash.put("apples", 6L)).isEqualTo(5L);
        assertThat(hash.remove("pears")).isEqualTo(5L);
        assertThat(list.remove("login")).isTrue();
        assertThat(list.toList()).containsExactly("logout", "login");
        assertThat(set.add("a")).isTrue();
        assertThat(set.add("a")).isFalse();
        assertThat(set.toSet()).containsExactly("a");
        assertThat(sorted.byRank(0, 10)).extracting(ScoredElement::element).containsExactly("pears", "apples");
        assertThat(group.counter("visits").addAndGet(2)).isEqualTo(2);
        group.rows("row", String.class).put("1", SECRET);
        assertThat(group.rows("row", String.class).toMap()).isEqualTo(Map.of("1", SECRET));
        assertThat(new String(payloadOf("row:{text:99}:1"), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret");
    }

    @Test
    void whatTheServerWouldHaveToRead_isRefused() {
        CacheGroup group = manager.group(EntityKey.of("text", "99"));

        assertThatThrownBy(() -> group.hash("cart", String.class, Long.class).increment("apples", 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Group text:99: cart: increment is not for encrypted elements:"
                        + " the server cannot add to them; use a counter, or put in a transaction");
        assertThatThrownBy(() -> group.sortedSet("ratings", String.class).byElement("a", "b", 10))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageEndingWith("the server cannot order them; use byScore");
    }

    @Test
    void keys_areShownNowhere() {
        String shown = manager.client().options().toString().toLowerCase(Locale.ROOT);

        assertThat(shown).contains("encryption by the keys [").doesNotContain(KEY.toLowerCase(Locale.ROOT));
    }
}
