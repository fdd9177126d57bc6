// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Caches a method that takes a collection of keys and returns a map of their values: {@code Map<Long, Book>
 * find(Collection<Long> ids)}. One {@code getAll} reads what is cached, the method is called with the other keys, if
 * any, and one {@code putAll} stores what it returns. A key that it does not return is not cached.
 *
 * <p>The entries are those of {@code @Cacheable} on a method with one of the keys as its only parameter. Concurrent
 * callers each call the method, as with {@code @Cacheable} without {@code sync}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface BulkCacheable {
    /** Returns the name of the cache. */
    String value();
}
