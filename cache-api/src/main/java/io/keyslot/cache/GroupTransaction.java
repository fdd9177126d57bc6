// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * What the work of a group transaction reads and changes. Reads see the transaction's own changes; changes are collected
 * and applied together when the work returns, if nothing that was read has changed since.
 *
 * <p>An aggregate that a transaction touches is read as a whole, once. Not for use after the work has returned, nor by
 * several threads. Blocking and asynchronous operations, and locks, are not for use inside of it: they throw
 * {@code IllegalStateException}.
 */
public interface GroupTransaction extends GroupView {}
