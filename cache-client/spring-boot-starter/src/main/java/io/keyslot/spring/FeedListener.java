// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls the annotated method of a singleton bean with the batches of a cache's change feed. Its only parameter is a
 * {@link io.keyslot.cache.feed.FeedBatch}. When it returns, the batch is recorded; when it throws, the batch comes again.
 * Subscribes when all singletons exist, and until the cache is closed.
 *
 * @see io.keyslot.cache.PartitionedCache#subscribe
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FeedListener {
    /** Returns the name of the cache, which must have a feed; placeholders are resolved. */
    String cache();

    /** Returns the name of the group; placeholders are resolved. */
    String group();

    /** Returns whether a new group begins after the latest change, and not at the earliest. */
    boolean latest() default false;
}
