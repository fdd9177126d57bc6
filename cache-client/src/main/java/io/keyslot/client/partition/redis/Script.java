// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A script that runs in the server, because several steps must be atomic. Each consists of {@code .lua} files or parts
 * of them, named {@code file.lua#part}. What all scripts on entries need is named {@code entries}, and with what those need
 * that store or remove an entry, or change its expiry, {@code storing}, {@code removing} and {@code expiring}.
 *
 * <p>Each script checks everything that may be refused before its first write; see {@code rights.lua}.
 *
 * <p>Parts that begin with {@code +} belong to the variants for entries that are listed in the index of their group, and
 * those with {@code >} to the variants for entries whose changes are appended to a feed. A server creates all functions of
 * a script at each call, so a script contains only those it needs, and parts whose names end with {@code _plain} or
 * {@code _indexed}, which need few, handle the usual case before the others are defined.
 */
@SuppressWarnings("ImmutableEnumChecker") // The cached sources depend on nothing mutable.
enum Script {
    PUT(
            Use.STORES,
            "kinds",
            "put.lua#put_plain",
            "put.lua#end_plain",
            "index.lua#put_indexed",
            "storing",
            "put.lua#put"),
    PUT_ALL(Use.STORES, "kinds", "put.lua#put_plain", "put.lua#others"),
    PUT_FED(Use.STORES, "feed.lua#put"),
    COMPARE_AND_SET(
            Use.STORES,
            "kinds",
            "compare_and.lua#any_plain",
            "compare_and.lua#set_plain",
            "storing",
            "compare_and.lua#set"),
    COMPARE_AND_REMOVE(
            Use.FREES,
            "kinds",
            "compare_and.lua#any_plain",
            "compare_and.lua#remove_plain",
            "removing",
            "compare_and.lua#remove"),
    COMPARE_AND_EXPIRE(
            Use.FREES,
            "kinds",
            "compare_and.lua#any_plain",
            "compare_and.lua#expire_plain",
            "expiring",
            "compare_and.lua#expire"),
    GET_AND_EXPIRE(Use.FREES, "kinds", "get_and.lua#expire_plain", "expiring", "get_and.lua#expire"),
    LEASE(Use.STORES, "kinds", "lease.lua#lease_plain", "entries", "lease.lua#lease"),
    CLAIM(Use.STORES, "entries", "lease.lua#claim"),
    RESERVE(Use.STORES, "entries", "lease.lua#reserve"),
    RELEASE_LEASE(Use.STORES, "entries", "lease.lua#release"),
    TAKE(Use.FREES, "get_and.lua#remove_plain", "removing", "get_and.lua#remove"),
    GROUP(
            Use.STORES,
            "group.lua#group_plain",
            "entries",
            "+index.lua#list",
            "+index.lua#let_expire",
            "puts.lua",
            "members.lua",
            ">feed.lua#group",
            "group.lua#group"),
    GET_ALL_LASTING(Use.READS, "get_all_lasting.lua"),
    ROWS(Use.READS, "rows.lua"),
    UNLINK(Use.FREES, "removing", "unlink.lua#remove"),
    ERASE(Use.FREES, "unlink.lua#erase"),
    FORGET(Use.FREES, "entries", "index.lua#forget"),
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
    REGISTER_READ(Use.READS, "register.lua#state", "register.lua#read"),
    REPORT_TRAFFIC(Use.STORES, "rights.lua", "traffic.lua#report"),
    READ_TRAFFIC(Use.READS, "traffic.lua#read"),
    ATTEND_FEED(Use.STORES, "rights.lua", "feed.lua#clock", "feed.lua#attend"),
    READ_FEED(Use.STORES, "feed.lua#clock", "feed.lua#state", "feed.lua#read", "feed.lua#page"),
    FOLLOW_FEED(Use.STORES, "feed.lua#clock", "feed.lua#state", "feed.lua#follow", "feed.lua#page"),
    CHECKPOINT_FEED(Use.STORES, "feed.lua#state", "feed.lua#checkpoint"),
    HAS_PASSED_FEED(Use.READS, "feed.lua#state", "feed.lua#has_passed"),
    FEED_ENDS(Use.READS, "feed.lua#state", "feed.lua#ends"),
    APPEND_ARRIVAL(Use.STORES, "feed.lua#arrive"),
    ERASE_FROM_FEED(Use.FREES, "feed.lua#erase"),
    DESCRIBE_FEEDS(Use.READS, "feed.lua#clock", "feed.lua#state", "feed.lua#describe"),
    SEND_MESSAGE(Use.STORES, "rights.lua", "feed.lua#clock", "queue.lua#state", "queue.lua#send"),
    RECEIVE_MESSAGE(
            Use.FREES, "rights.lua", "feed.lua#clock", "queue.lua#state", "queue.lua#session", "queue.lua#receive"),
    SETTLE_MESSAGE(
            Use.FREES, "rights.lua", "feed.lua#clock", "queue.lua#state", "queue.lua#session", "queue.lua#settle"),
    DESCRIBE_QUEUE(Use.READS, "feed.lua#clock", "queue.lua#state", "queue.lua#describe"),
    KEEP_HEARTBEAT(Use.STORES, "rights.lua", "heartbeat.lua"),
    MAY_RECORD(Use.READS, "meta.lua#may_record"),
    COMMAND(Use.STORES, "command.lua"),
    SET_FENCE(Use.STORES, "rights.lua", "fence.lua#set"),
    SET_MIN_VERSION(Use.STORES, "rights.lua", "meta.lua#set_min_version"),
    SET_INCARNATION(Use.STORES, "meta.lua#set_incarnation");

    /** The kind of access of a script to its keys, for the fence check. */
    enum Use {
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

    /** Begins the line with the name of a part. */
    private static final String PART = "\n-------- ";

    /** Followed by the file for entries without an envelope. */
    private static final String OF_ENTRIES = "stored.lua#stored";

    private static final String OF_RAW_ENTRIES = "raw.lua";

    /** The ends of the names of parts that handle the usual case of one variant. */
    private static final String ONLY_PLAIN = "_plain";

    private static final String ONLY_INDEXED = "_indexed";

    private static final String OF_INDEX = "+";
    private static final String OF_FEED = ">";

    /** The sources with a fence check, by the digest without it. */
    private static final Map<String, Source> FENCED = new ConcurrentHashMap<>();

    private enum Variant {
        PLAIN,
        INDEXED,
        FED,
        FED_INDEXED,
        RAW
    }

    private final Use use;
    private final List<String> parts;
    private final Source alone;
    private final Map<Variant, Source> variants = new ConcurrentHashMap<>();

    Script(Use use, String... parts) {
        this.use = use;
        this.parts = expanded(parts).distinct().toList();
        this.alone = compose(Variant.PLAIN);
    }

    private static Stream<String> expanded(String... parts) {
        return Stream.of(parts).flatMap(part -> switch (part) {
            case "kinds" -> Stream.of("stored.lua#kinds");
            case "entries" -> Stream.of("stored.lua#kinds", "rights.lua", OF_ENTRIES);
            case "storing" ->
                expanded(
                        "entries",
                        ">feed.lua#append",
                        ">feed.lua#store",
                        "+index.lua#list",
                        "+index.lua#let_expire",
                        "+index.lua#store");
            case "removing" ->
                expanded(
                        "entries",
                        ">feed.lua#append",
                        "+index.lua#let_expire",
                        "+index.lua#remove",
                        ">feed.lua#remove");
            case "expiring" -> expanded("entries", "+index.lua#let_expire", "+index.lua#refresh");
            default -> Stream.of(part);
        });
    }

    /** The text of a script, and the digest by which a server knows it after the first run. */
    record Source(String text, String digest) {}

    Source alone() {
        return alone;
    }

    /** Returns the source for entries that are listed in the index of their group, or appended to a feed, or both. */
    Source withEffects(boolean isIndexed, boolean isFed) {
        if (!isIndexed && !isFed) {
            return alone;
        }
        Variant variant = !isFed ? Variant.INDEXED : isIndexed ? Variant.FED_INDEXED : Variant.FED;
        return variants.computeIfAbsent(variant, this::compose);
    }

    /** Returns the source for entries without an envelope, which are in no index. */
    Source raw() {
        return variants.computeIfAbsent(Variant.RAW, this::compose);
    }

    /** Returns the source with a check of the fences of its keys. */
    static Source fenced(Source source) {
        return FENCED.computeIfAbsent(source.digest(), digest -> {
            String text = load("fence.lua#check") + source.text();
            return new Source(text, sha1(text));
        });
    }

    Use use() {
        return use;
    }

    /** Returns whether the script changes entries such that a feed has to contain it. */
    boolean appendsToFeeds() {
        return parts.stream().anyMatch(part -> part.startsWith(OF_FEED));
    }

    private Source compose(Variant variant) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            boolean isOfIndex = part.startsWith(OF_INDEX);
            boolean isOfFeed = part.startsWith(OF_FEED);
            boolean isWanted = isOfIndex
                    ? variant == Variant.INDEXED || variant == Variant.FED_INDEXED
                    : isOfFeed
                            ? variant == Variant.FED || variant == Variant.FED_INDEXED
                            : part.endsWith(ONLY_PLAIN)
                                    ? variant == Variant.PLAIN
                                    : !part.endsWith(ONLY_INDEXED) || variant == Variant.INDEXED;
            if (isWanted) {
                text.append(load(isOfIndex || isOfFeed ? part.substring(1) : part));
            }
            if (variant == Variant.RAW && part.equals(OF_ENTRIES)) {
                text.append(load(OF_RAW_ENTRIES));
            }
        }
        return new Source(text.toString(), sha1(text.toString()));
    }

    /** Returns the text of a file, or of a part of it: {@code file.lua#part}. */
    private static String load(String name) {
        int hash = name.indexOf('#');
        String text = read(hash < 0 ? name : name.substring(0, hash));
        if (hash < 0) {
            return text;
        }
        String begin = PART + name.substring(hash + 1) + "\n";
        int start = text.indexOf(begin);
        if (start < 0) {
            throw new IllegalStateException("Script %s is missing from its file".formatted(name));
        }
        int end = text.indexOf(PART, start + 1);
        return text.substring(start + begin.length(), end < 0 ? text.length() : end + 1);
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
    static Optional<Source> ofDigest(String digest) {
        Stream<Source> plain = Stream.of(values())
                .flatMap(script -> Stream.concat(Stream.of(script.alone), script.variants.values().stream()));
        return Stream.concat(plain, FENCED.values().stream())
                .filter(source -> source.digest().equals(digest))
                .findFirst();
    }

    String text() {
        return alone.text();
    }
}
