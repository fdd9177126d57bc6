// SPDX-License-Identifier: Apache-2.0

/**
 * The JCache provider. An application finds it by {@link javax.cache.Caching} and uses {@code javax.cache} and {@code
 * io.keyslot.api}. It exports nothing but how observations are named: who uses that
 * requires {@code micrometer.observation} itself, as applications without Micrometer must not need it.
 */
module io.keyslot.client {
    requires transitive io.keyslot.api;
    requires static org.jspecify;
    requires java.management;
    requires static java.sql;
    requires org.slf4j;
    requires lettuce.core;
    requires com.github.benmanes.caffeine;
    requires com.esotericsoftware.kryo.kryo5;
    requires org.snakeyaml.engine;
    requires static micrometer.core;
    requires static micrometer.commons;
    requires static micrometer.observation;
    requires static com.fasterxml.jackson.annotation;
    requires static com.fasterxml.jackson.core;
    requires static com.fasterxml.jackson.databind;
    requires static tools.jackson.core;
    requires static tools.jackson.databind;
    // Lettuce is an automatic module, which cannot say what it needs.
    requires io.netty.common;
    requires io.netty.buffer;
    requires io.netty.transport;
    requires io.netty.codec;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires jdk.unsupported;

    exports io.keyslot.client.telemetry.convention;

    provides javax.cache.spi.CachingProvider with
            io.keyslot.client.jcache.KeyslotCachingProvider;
}
