// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The time to live of entries that a {@code @Cacheable} or {@code @CachePut} of the same method stores. May also be
 * used on an annotation that has both as meta-annotations. Overrides the {@code ttl} of the cache; an
 * {@link EntryLifetime} overrides it.
 *
 * <p>It applies where Spring finds the cache with the application's only {@code CacheManager} or {@code CacheResolver}.
 * On a method that stores nothing, or has a {@code cacheManager} or {@code cacheResolver} of its own, it fails the
 * start.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface CacheTtl {
    /** Returns a duration as in {@code keyslot.yaml}, such as {@code 10m}, or a placeholder: {@code ${books.ttl}}. */
    String value();
}
