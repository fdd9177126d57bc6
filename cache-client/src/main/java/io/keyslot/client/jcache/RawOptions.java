// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks which options a cache with raw values excludes because they need an envelope. Stateless. */
final class RawOptions {
    /** Codecs whose formats only this project reads. */
    private static final Set<String> OWN_FORMATS = Set.of("kryo", "kryo5", "jdk");

    private static final String DEFAULT_CODEC = "default";

    private RawOptions() {}

    static boolean areIn(PartitionedConfiguration<?, ?> configuration) {
        return configuration.getLayout() == ValueLayout.RAW;
    }

    /** Returns the options that contradict raw values, with reasons; empty if the values are not raw. */
    static List<String> problems(PartitionedConfiguration<?, ?> configuration, String codec) {
        List<String> problems = new ArrayList<>();
        if (!areIn(configuration)) {
            return problems;
        }
        if (configuration.getGroupedBy() != null || Boolean.TRUE.equals(configuration.getIndexed())) {
            problems.add(problem("groupedBy and indexed", "groups look for a header"));
        }
        if (configuration.isWriteThrough()) {
            problems.add(problem(
                    "writeThrough and writeBehind",
                    "a writer reserves the place of an entry, which a raw value has not"));
        }
        LoadingOptions loading = configuration.getLoading();
        if (loading != null) {
            problems.addAll(problems(loading));
        }
        if (configuration.getCodecFactory() == null && isOwnFormat(configuration.getValueType(), codec)) {
            problems.add(
                    ("layout is raw, but codec is %s, whose bytes no other program reads; choose json, string or bytes,"
                                    + " or give the cache a codec of its own")
                            .formatted(codec));
        }
        return problems;
    }

    private static List<String> problems(LoadingOptions loading) {
        List<String> problems = new ArrayList<>();
        String noPlace = "a raw value has no place for the end of its freshness";
        if (!loading.staleWhileRevalidate().isZero()) {
            problems.add(problem("loading.staleWhileRevalidate", noPlace));
        }
        if (!loading.staleIfError().isZero()) {
            problems.add(problem("loading.staleIfError", noPlace));
        }
        if (!loading.negativeTimeToLive().isZero()) {
            problems.add(problem("loading.negativeTtl", "nothing could stand for a value that is known not to be"));
        }
        return problems;
    }

    private static boolean isOwnFormat(Class<?> valueType, String codec) {
        boolean isDefaultOfText = valueType == String.class || valueType == byte[].class;
        return OWN_FORMATS.contains(codec) || (codec.equals(DEFAULT_CODEC) && !isDefaultOfText);
    }

    private static String problem(String option, String why) {
        return "layout is raw, which excludes %s: %s; leave one of them out".formatted(option, why);
    }
}
