// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.StoredForm;
import io.keyslot.client.stored.WriteEffects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A script that runs in the server, because several steps must be atomic. Each has a {@code .lua} file; scripts on
 * entries are prefixed with {@code stored.lua}.
 *
 * <p>Each script checks everything that may be refused before its first write; see {@code rights.lua}.
 *
 * <p>Scripts that write entries with effects are composed of {@code effects_*.lua} and the files of each effect, such
 * as {@code <name>_store.lua}: once for each combination in use. A server creates all functions of a script at each
 * call, so a script contains only those it needs.
 */
@SuppressWarnings("ImmutableEnumChecker") // The cached sources depend on nothing mutable.
public enum Script {
    PUT(Use.STORES, "rights.lua", "stored.lua", "effects_store.lua", "*_store.lua", "put.lua"),
    COMPARE_AND_SET(
            Use.STORES,
            "compare_and_set_plain.lua",
            "rights.lua",
            "stored.lua",
            "effects_store.lua",
            "*_store.lua",
            "compare_and_set.lua"),
    COMPARE_AND_REMOVE(
            Use.FREES, "rights.lua", "stored.lua", "effects_remove.lua", "*_remove.lua", "compare_and_remove.lua"),
    COMPARE_AND_EXPIRE(
            Use.FREES, "rights.lua", "stored.lua", "effects_expire.lua", "*_expire.lua", "compare_and_expire.lua"),
    GET_AND_EXPIRE(Use.FREES, "rights.lua", "stored.lua", "effects_expire.lua", "*_expire.lua", "get_and_expire.lua"),
    LEASE(Use.STORES, "rights.lua", "stored.lua", "lease.lua"),
    CLAIM(Use.STORES, "rights.lua", "stored.lua", "claim.lua"),
    RESERVE(Use.STORES, "rights.lua", "stored.lua", "reserve.lua"),
    RELEASE_LEASE(Use.STORES, "rights.lua", "stored.lua", "release_lease.lua"),
    TAKE(Use.FREES, "rights.lua", "stored.lua", "effects_remove.lua", "*_remove.lua", "get_and_remove.lua"),
    GROUP(
            Use.STORES,
            "rights.lua",
            "stored.lua",
            "effects_group.lua",
            "*_check.lua",
            "*_store.lua",
            "*_remove.lua",
            "puts.lua",
            "members.lua",
            "group.lua"),
    GET_ALL_LASTING(Use.READS, "get_all_lasting.lua"),
    ROWS(Use.READS, "rows.lua"),
    UNLINK(Use.FREES, "rights.lua", "stored.lua", "effects_remove.lua", "*_remove.lua", "unlink.lua"),
    FORGET(Use.FREES, "rights.lua", "stored.lua", "forget.lua"),
    RELIST(Use.STORES, "rights.lua", "stored.lua", "index.lua", "relist.lua"),
    EXPIRE_ALL(Use.FREES, "rights.lua", "stored.lua", "expire_all.lua"),
    HOLD_INDEX(Use.FREES, "rights.lua", "stored.lua", "index.lua", "hold_index.lua"),
    RELEASE_INDEX(Use.FREES, "rights.lua", "stored.lua", "index.lua", "release_index.lua"),
    MEASURE_KEYS(Use.READS, "measure_keys.lua"),
    LOCK(Use.STORES, "rights.lua", "lock.lua"),
    RENEW_LOCK(Use.FREES, "renew_lock.lua"),
    UNLOCK(Use.FREES, "unlock.lua"),
    EXPORT(Use.READS, "export.lua"),
    IMPORT(Use.STORES, "guard.lua", "import.lua"),
    PURGE(Use.FREES, "guard.lua", "purge.lua"),
    READ_DIRTY(Use.READS, "guard.lua", "read_dirty.lua"),
    FORGET_DIRTY(Use.FREES, "guard.lua", "forget_dirty.lua"),
    WEIGHTS(Use.READS, "weights.lua"),
    REGISTER_BEGIN(Use.FREES, "rights.lua", "register.lua", "register_begin.lua"),
    REGISTER_PREPARE(Use.FREES, "rights.lua", "register.lua", "register_prepare.lua"),
    REGISTER_ACCEPT(Use.FREES, "rights.lua", "register.lua", "register_accept.lua"),
    REGISTER_COPY(Use.FREES, "rights.lua", "register_copy.lua"),
    REGISTER_PEEK(Use.READS, "register.lua", "register_peek.lua"),
    REGISTER_READ(Use.READS, "register.lua", "register_read.lua"),
    REPORT_TRAFFIC(Use.STORES, "rights.lua", "report_traffic.lua"),
    READ_TRAFFIC(Use.READS, "read_traffic.lua"),
    KEEP_HEARTBEAT(Use.STORES, "rights.lua", "keep_heartbeat.lua"),
    KEEP_NODE_HEARTBEAT(Use.STORES, "rights.lua", "keep_node_heartbeat.lua"),
    MAY_RECORD(Use.READS, "may_record.lua"),
    COMMAND(Use.STORES, "command.lua"),
    SET_FENCE(Use.STORES, "rights.lua", "set_fence.lua"),
    SET_MIN_VERSION(Use.STORES, "rights.lua", "set_min_version.lua"),
    SET_INCARNATION(Use.STORES, "set_incarnation.lua");

    /** The kind of access of a script to its keys, for the fence check. */
    public enum Use {
        READS("read"),
        /** May need memory, so that a full server refuses it. */
        STORES("write"),
        /** May change a key but needs no memory, so that a full server executes it. */
        FREES("free");

        private final String word;

        Use(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    private static final Pattern CALLED = Pattern.compile("(?:call|try)\\('([A-Z]+)'");

    /** The line in which a file names the files that must precede it, once. */
    private static final Pattern REQUIRES = Pattern.compile("(?m)^-- requires (.+)$");

    /** Handles the usual case, without effects. */
    private static final String SHORT_CUT = "compare_and_set_plain.lua";

    /** Defines the form of entries; followed by the file for entries without an envelope. */
    private static final String OF_ENTRIES = "stored.lua";

    private static final String OF_RAW_ENTRIES = "raw.lua";

    private static final String OF_EACH_EFFECT = "*";
    private static final String OF_EFFECTS = "effects_";

    /** The sources with a fence check, by the digest without it. */
    private static final Map<String, Source> FENCED = new ConcurrentHashMap<>();

    private final Use use;
    private final List<String> files;
    private final Source alone;
    private final Map<WriteEffects, Source> withEffects = new ConcurrentHashMap<>();
    private final Map<StoredForm, Source> raw = new ConcurrentHashMap<>();

    Script(Use use, String... files) {
        this.use = use;
        this.files = List.of(files);
        this.alone = compose(WriteEffects.NONE, StoredForm.ENVELOPED);
    }

    /** The text of a script, and the digest by which a server knows it after the first run. */
    public record Source(String text, String digest) {}

    public Source alone() {
        return alone;
    }

    /** Returns the source with effects. The configured caches determine the combinations, so there are few. */
    public Source with(WriteEffects effects) {
        return effects.isNone()
                ? alone
                : withEffects.computeIfAbsent(effects, all -> compose(all, StoredForm.ENVELOPED));
    }

    /** Returns the source for entries without an envelope, which have no effects. */
    public Source raw() {
        return raw.computeIfAbsent(StoredForm.RAW, form -> compose(WriteEffects.NONE, form));
    }

    /** Returns the source with a check of the fences of its keys. */
    static Source fenced(Source source) {
        return FENCED.computeIfAbsent(source.digest(), digest -> {
            String text = load("fence.lua") + source.text();
            return new Source(text, sha1(text));
        });
    }

    public Use use() {
        return use;
    }

    private Source compose(WriteEffects effects, StoredForm form) {
        boolean isPlain = effects.isNone() && form == StoredForm.ENVELOPED;
        StringBuilder text = new StringBuilder();
        Set<String> required = new HashSet<>();
        for (String file : files) {
            if (file.startsWith(OF_EACH_EFFECT)) {
                for (WriteEffects.WriteEffect effect : effects.all()) {
                    append(text, required, file.replace(OF_EACH_EFFECT, effect.name()));
                }
            } else if (file.startsWith(OF_EFFECTS) && !effects.isNone()) {
                text.append("EFFECTS = ")
                        .append(effects.all().size())
                        .append('\n')
                        .append(load(file));
            } else if (!file.startsWith(OF_EFFECTS) && (isPlain || !file.equals(SHORT_CUT))) {
                text.append(load(file));
            }
            if (form == StoredForm.RAW && file.equals(OF_ENTRIES)) {
                text.append(load(OF_RAW_ENTRIES));
            }
        }
        return new Source(text.toString(), sha1(text.toString()));
    }

    private static void append(StringBuilder text, Set<String> required, String file) {
        String own = load(file);
        REQUIRES.matcher(own)
                .results()
                .flatMap(line -> Stream.of(line.group(1).split(" ")))
                .filter(required::add)
                .forEach(before -> text.append(load(before)));
        text.append(own);
    }

    private static String load(String file) {
        try (InputStream resource = Script.class.getResourceAsStream(file)) {
            if (resource == null) {
                throw new IllegalStateException("Script %s is missing from the jar of cache-client".formatted(file));
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Script %s cannot be read".formatted(file), e);
        }
    }

    /** A name for a script, not a protection. */
    private static String sha1(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }

    /** Returns the command that a script calls in a line; a server reports only the digest and the line. */
    static Optional<String> commandCalledAt(String digest, int line) {
        return ofDigest(digest)
                .flatMap(source -> source.text().lines().skip(line - 1).findFirst())
                .map(CALLED::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1));
    }

    /** Returns the source with this digest, among those used in this process. */
    public static Optional<Source> ofDigest(String digest) {
        Stream<Source> plain = Stream.of(values())
                .flatMap(script -> Stream.of(List.of(script.alone), script.withEffects.values(), script.raw.values()))
                .flatMap(Collection::stream);
        return Stream.concat(plain, FENCED.values().stream())
                .filter(source -> source.digest().equals(digest))
                .findFirst();
    }

    public String text() {
        return alone.text();
    }
}
