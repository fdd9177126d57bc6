// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component of a composite key that is the id of the group's root, for caches that are
 * {@linkplain PartitionedConfiguration#setGroupedBy grouped by} another entity type.
 * <pre>{@code
 * record SaleKey(@GroupKey long customerId, long saleId) implements Serializable {}
 * // in the cache sale, grouped by customer: sale:{customer:99}:1001
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface GroupKey {}
