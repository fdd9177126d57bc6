// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How long entries live that {@code @Cacheable} or {@code @CachePut} of the same method stores, beside it or on an annotation
 * that both stand on. It counts more than the {@code ttl} of the cache, and less than an {@link EntryLifetime}.
 *
 * <p>It counts where Spring finds the cache by the application's one {@code CacheManager} or {@code CacheResolver}. On a method
 * that stores nothing, or names a {@code cacheManager} or {@code cacheResolver} of its own, it stops the start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface CacheTtl {
    /** Returns a length of time as in {@code keyslot.yaml}, such as {@code 10m}, or a placeholder for one: {@code ${books.ttl}}. */
    String value();
}
