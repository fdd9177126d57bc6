// SPDX-License-Identifier: Apache-2.0
/** What {@code javax.cache} promises: provider, managers, caches, processors, listeners, statistics, MXBeans. */
@NullMarked
package io.keyslot.client.jcache;

import org.jspecify.annotations.NullMarked;
