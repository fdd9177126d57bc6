// SPDX-License-Identifier: Apache-2.0
/** The implementation of {@code javax.cache}: provider, managers, caches, processors, listeners, statistics, MXBeans. */
@NullMarked
package io.keyslot.client.jcache;

import org.jspecify.annotations.NullMarked;
