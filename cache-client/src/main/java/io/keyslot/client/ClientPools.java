// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.WorkPool;
import java.util.concurrent.ExecutorService;

/**
 * The threads of one client that run code of the application, each kind by itself: none waits for another's.
 *
 * @param async runs asynchronous operations and listeners
 * @param loaders runs loaders that have a timeout
 * @param refreshes runs loads in the background
 * @param writers runs the cache writers of caches that write behind
 */
public record ClientPools(
        WorkPool async, ExecutorService loaders, ExecutorService refreshes, ExecutorService writers) {}
