// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * The reads and changes of a group transaction. Reads see the transaction's own changes. Changes are collected and
 * applied together when the work returns, if nothing that was read has changed since.
 *
 * <p>The first access to an aggregate reads it as a whole. Not for use after the work has returned, nor by several
 * threads. Blocking and asynchronous operations and locks throw {@code IllegalStateException}.
 */
public interface GroupTransaction extends GroupView {}
