// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Evicts many entries with one {@code removeAll}, after a method that takes a collection of their keys has returned:
 * {@code void delete(Collection<Long> ids)}. If it throws, nothing is evicted.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface BulkCacheEvict {
    /** Returns the names of the caches. */
    String[] value();
}
