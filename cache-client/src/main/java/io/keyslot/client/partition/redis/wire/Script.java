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
 * A script that runs in the server, because several steps must be atomic. Each consists of {@code .lua} files or parts of
 * them, named {@code file.lua#part}; scripts on entries are prefixed with {@code stored.lua}.
 *
 * <p>Each script checks everything that may be refused before its first write; see {@code rights.lua}.
 *
 * <p>Scripts that write entries with effects are composed of a part of {@code effects.lua} and one of each effect, such as
 * {@code <name>.lua#store}: once for each combination in use. A server creates all functions of a script at each call, so
 * a script contains only those it needs.
 */
@SuppressWarnings("ImmutableEnumChecker") // The cached sources depend on nothing mutable.
public enum Script {
    PUT(Use.STORES, "rights.lua", "stored.lua", "effects.lua#store", "*.lua#store", "put.lua"),
    COMPARE_AND_SET(
            Use.STORES,
            "compare_and.lua#set_plain",
            "rights.lua",
            "stored.lua",
            "effects.lua#store",
            "*.lua#store",
            "compare_and.lua#set"),
    COMPARE_AND_REMOVE(
            Use.FREES, "rights.lua", "stored.lua", "effects.lua#remove", "*.lua#remove", "compare_and.lua#remove"),
    COMPARE_AND_EXPIRE(
            Use.FREES, "rights.lua", "stored.lua", "effects.lua#expire", "*.lua#expire", "compare_and.lua#expire"),
    GET_AND_EXPIRE(
            Use.FREES, "rights.lua", "stored.lua", "effects.lua#expire", "*.lua#expire", "get_and.lua#expire"),
    LEASE(Use.STORES, "rights.lua", "stored.lua", "lease.lua#lease"),
    CLAIM(Use.STORES, "rights.lua", "stored.lua", "lease.lua#claim"),
    RESERVE(Use.STORES, "rights.lua", "stored.lua", "lease.lua#reserve"),
    RELEASE_LEASE(Use.STORES, "rights.lua", "stored.lua", "lease.lua#release"),
    TAKE(Use.FREES, "rights.lua", "stored.lua", "effects.lua#remove", "*.lua#remove", "get_and.lua#remove"),
    GROUP(
            Use.STORES,
            "rights.lua",
            "stored.lua",
            "effects.lua#group",
            "*.lua#check",
            "*.lua#store",
            "*.lua#remove",
            "puts.lua",
            "members.lua",
            "group.lua"),
    GET_ALL_LASTING(Use.READS, "get_all_lasting.lua"),
    ROWS(Use.READS, "rows.lua"),
    UNLINK(Use.FREES, "rights.lua", "stored.lua", "effects.lua#remove", "*.lua#remove", "unlink.lua"),
    FORGET(Use.FREES, "rights.lua", "stored.lua", "index.lua#forget"),
    RELIST(Use.STORES, "rights.lua", "stored.lua", "index.lua#list", "index.lua#relist"),
    EXPIRE_ALL(Use.FREES, "rights.lua", "stored.lua", "index.lua#expire"),
    HOLD_INDEX(Use.FREES, "rights.lua", "stored.lua", "index.lua#list", "index.lua#hold"),
    RELEASE_INDEX(Use.FREES, "rights.lua", "stored.lua", "index.lua#list", "index.lua#release"),
    MEASURE_KEYS(Use.READS, "measure_keys.lua"),
    LOCK(Use.STORES, "rights.lua", "lock.lua#lock"),
    RENEW_LOCK(Use.FREES, "lock.lua#renew"),
    UNLOCK(Use.FREES, "lock.lua#unlock"),
    EXPORT(Use.READS, "transfer.lua#export"),
    IMPORT(Use.STORES, "transfer.lua#guard", "transfer.lua#import"),
    PURGE(Use.FREES, "transfer.lua#guard", "transfer.lua#purge"),
    READ_DIRTY(Use.READS, "transfer.lua#guard", "transfer.lua#read_written"),
    FORGET_DIRTY(Use.FREES, "transfer.lua#guard", "transfer.lua#forget_written"),
    WEIGHTS(Use.READS, "transfer.lua#weights"),
    REGISTER_BEGIN(Use.FREES, "rights.lua", "register.lua#state", "register.lua#begin"),
    REGISTER_PREPARE(Use.FREES, "rights.lua", "register.lua#state", "register.lua#prepare"),
    REGISTER_ACCEPT(Use.FREES, "rights.lua", "register.lua#state", "register.lua#accept"),
    REGISTER_COPY(Use.FREES, "rights.lua", "register.lua#copy"),
    REGISTER_PEEK(Use.READS, "register.lua#state", "register.lua#peek"),
    REGISTER_READ(Use.READS, "register.lua#state", "register.lua#read"),
    REPORT_TRAFFIC(Use.STORES, "rights.lua", "traffic.lua#report"),
    READ_TRAFFIC(Use.READS, "traffic.lua#read"),
    KEEP_HEARTBEAT(Use.STORES, "rights.lua", "heartbeat.lua"),
    MAY_RECORD(Use.READS, "meta.lua#may_record"),
    COMMAND(Use.STORES, "command.lua"),
    SET_FENCE(Use.STORES, "rights.lua", "fence.lua#set"),
    SET_MIN_VERSION(Use.STORES, "rights.lua", "meta.lua#set_min_version"),
    SET_INCARNATION(Use.STORES, "meta.lua#set_incarnation");

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

    /** The line in which a part names the parts that must precede it, once. */
    private static final Pattern REQUIRES = Pattern.compile("(?m)^-- requires (.+)$");

    private static final Pattern PART = Pattern.compile("(?m)^-{8} (\\w+)\n");

    /** Handles the usual case, without effects. */
    private static final String SHORT_CUT = "compare_and.lua#set_plain";

    /** Defines the form of entries; followed by the file for entries without an envelope. */
    private static final String OF_ENTRIES = "stored.lua";

    private static final String OF_RAW_ENTRIES = "raw.lua";

    private static final String OF_EACH_EFFECT = "*";
    private static final String OF_EFFECTS = "effects.lua";

    /** The sources with a fence check, by the digest without it. */
    private static final Map<String, Source> FENCED = new ConcurrentHashMap<>();

    private final Use use;
    private final List<String> parts;
    private final Source alone;
    private final Map<WriteEffects, Source> withEffects = new ConcurrentHashMap<>();
    private final Map<StoredForm, Source> raw = new ConcurrentHashMap<>();

    Script(Use use, String... parts) {
        this.use = use;
        this.parts = List.of(parts);
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
            String text = load("fence.lua#check") + source.text();
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
        for (String part : parts) {
            if (part.startsWith(OF_EACH_EFFECT)) {
                for (WriteEffects.WriteEffect effect : effects.all()) {
                    append(text, required, part.replace(OF_EACH_EFFECT, effect.name()));
                }
            } else if (part.startsWith(OF_EFFECTS) && !effects.isNone()) {
                text.append("EFFECTS = ")
                        .append(effects.all().size())
                        .append('\n')
                        .append(load(part));
            } else if (!part.startsWith(OF_EFFECTS) && (isPlain || !part.equals(SHORT_CUT))) {
                text.append(load(part));
            }
            if (form == StoredForm.RAW && part.equals(OF_ENTRIES)) {
                text.append(load(OF_RAW_ENTRIES));
            }
        }
        return new Source(text.toString(), sha1(text.toString()));
    }

    private static void append(StringBuilder text, Set<String> required, String part) {
        String own = load(part);
        REQUIRES.matcher(own)
                .results()
                .flatMap(line -> Stream.of(line.group(1).split(" ")))
                .filter(required::add)
                .forEach(before -> text.append(load(before)));
        text.append(own);
    }

    /** Returns the text of a file, or of a part of it: {@code file.lua#part}. */
    private static String load(String name) {
        int hash = name.indexOf('#');
        String text = read(hash < 0 ? name : name.substring(0, hash));
        if (hash < 0) {
            return text;
        }
        Matcher part = PART.matcher(text);
        while (part.find()) {
            if (part.group(1).equals(name.substring(hash + 1))) {
                int start = part.end();
                return text.substring(start, part.find() ? part.start() : text.length());
            }
        }
        throw new IllegalStateException("Script %s is missing from its file".formatted(name));
    }

    private static String read(String file) {
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

    public String digest() {
        return alone.digest();
    }
}
