// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.telemetry.ObservedHandles;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** The hints for native images: scripts, {@code keyslot.yaml}, classes that are found by name, and proxies. */
final class KeyslotRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources()
                .registerPattern("io/keyslot/client/**/*.lua")
                .registerPattern("keyslot.yaml")
                .registerPattern("keyslot.yml")
                .registerPattern("META-INF/services/javax.cache.spi.CachingProvider");
        hints.reflection()
                .registerType(CacheTtl.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(BulkCacheable.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(BulkCacheEvict.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(KeyslotCachingProvider.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
                .registerType(
                        TypeReference.of("org.springframework.cache.interceptor.SimpleKey"),
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
                        MemberCategory.DECLARED_FIELDS)
                .registerType(
                        TypeReference.of("org.springframework.cache.support.NullValue"),
                        MemberCategory.DECLARED_FIELDS);
        ObservedHandles.interfaces().forEach(hints.proxies()::registerJdkProxy);
        hints.proxies().registerJdkProxy(PartitionedCache.class).registerJdkProxy(FailSafeCalls.class);
    }
}
