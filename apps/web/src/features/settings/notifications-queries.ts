import { getNotifications, type Notifications, updateNotifications } from '@brand-portal/contract/members';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { brandKeys } from '../brands/brands-queries.ts';

export function notificationsQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'notifications'],
    queryFn: ({ signal }): Promise<Notifications> => callApi(getNotifications, { params: { brandId }, signal }),
  });
}

export function useUpdateNotifications(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Notifications) => callApi(updateNotifications, { params: { brandId }, body }),
    onSuccess: (answer, body) => queryClient.setQueryData(notificationsQuery(brandId).queryKey, answer ?? body),
  });
}
