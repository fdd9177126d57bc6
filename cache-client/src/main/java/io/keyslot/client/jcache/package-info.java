// SPDX-License-Identifier: Apache-2.0
/**
 * The implementation of {@code javax.cache}: provider, managers and caches, with the operations of a cache, its entries,
 * expiry rules, events and statistics, the loader and the writer of the application, and MXBeans.
 */
@NullMarked
package io.keyslot.client.jcache;

import org.jspecify.annotations.NullMarked;
