// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.WorkPool;
import java.util.concurrent.ExecutorService;

/**
 * The threads of one client that run code of the application, in separate pools that do not wait for each other.
 *
 * @param async runs asynchronous operations and listeners
 * @param loaders runs loaders with a timeout
 * @param refreshes runs loads in the background
 * @param writers runs the cache writers of write-behind
 */
public record ClientPools(
        WorkPool async, ExecutorService loaders, ExecutorService refreshes, ExecutorService writers) {}
